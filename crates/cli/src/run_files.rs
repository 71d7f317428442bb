//! What a run writes: frames, tables, checkpoints, a picture.

use crate::failure::Failure;
use crate::step_table::{self, StepRow};
use moreau_dynamics::step_report::StepReport;
use moreau_files::FolderLock;
use moreau_scene::Run;
use moreau_scene::model::TrajectoryFormat;
use moreau_studies::picture;
use moreau_trajectory::{
    CheckpointStore, CsvWriter, Format, TrajectoryOptions, TrajectoryWriter, read_csv,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Frames when the scene does not say how many.
const FRAMES: f64 = 100.0;
/// Version of the state in checkpoints; it rises when its layout changes.
const STATE_VERSION: u32 = 5;

/// The table of the steps, without its extension.
const STEPS: &str = "steps";

/// The folder of the checkpoints in that of the run.
const CHECKPOINTS: &str = "checkpoints";

/// The files of a run.
pub struct RunFiles {
    directory: PathBuf,
    trajectory: TrajectoryWriter,
    steps: CsvWriter,
    sensors: BTreeMap<String, CsvWriter>,
    checkpoints: CheckpointStore,
    frame_every: f64,
    next_frame: f64,
    checkpoint_every: Option<f64>,
    next_checkpoint: f64,
    /// Two runs in one folder would mix their frames.
    _lock: FolderLock,
}

impl RunFiles {
    /// Begins the files of a new run and writes its first frame.
    pub fn create(directory: &Path, run: &Run) -> Result<Self, Failure> {
        let mut files = Self::open(directory, run, None)?;
        // Those of a run before this one would lead `resume` into its end.
        files.checkpoints.clear()?;
        files.trajectory.frame(&run.simulation)?;
        files.sensor_rows(run)?;
        Ok(files)
    }

    /// Goes on with the files of a run that was interrupted.
    pub fn resume(directory: &Path, run: &Run) -> Result<Self, Failure> {
        Self::open(directory, run, Some(run.simulation.time()))
    }

    /// The newest whole checkpoint in the folder of a run, and what is to be said about newer ones.
    pub fn last_checkpoint(directory: &Path) -> Result<(Run, Vec<String>), Failure> {
        let store = store(directory);
        if !directory.join(CHECKPOINTS).is_dir() {
            return Err(Failure::new(format!(
                "{}: there are no checkpoints; expected the output folder of a run",
                directory.display()
            )));
        }
        let loaded = store.read_latest::<Run>()?;
        Ok((loaded.state, loaded.warnings))
    }

    fn open(directory: &Path, run: &Run, after: Option<f64>) -> Result<Self, Failure> {
        let options = TrajectoryOptions {
            format: format_of(run),
            ..TrajectoryOptions::default()
        };
        let lock = FolderLock::take(directory)?;
        let trajectory = match after {
            None => TrajectoryWriter::create(directory, options)?,
            Some(time) => TrajectoryWriter::resume(directory, time, options)?,
        };
        moreau_files::remove_leftovers(directory);
        let table = |name: &str, columns: &[&str]| {
            let path = directory.join(format!("{name}.csv"));
            match after {
                None => CsvWriter::create(path, columns),
                Some(time) => CsvWriter::resume(path, columns, time),
            }
        };
        let mut sensors = BTreeMap::new();
        for sensor in run.all_sensors() {
            let columns = sensor.columns();
            sensors.insert(sensor.name().to_string(), table(sensor.name(), columns)?);
        }
        let time = run.simulation.time();
        let frame_every = run.output.every.unwrap_or(run.duration / FRAMES);
        let checkpoint_every = run.output.checkpoint_every;
        Ok(Self {
            directory: directory.to_path_buf(),
            trajectory,
            steps: table(STEPS, &step_table::names())?,
            sensors,
            checkpoints: store(directory),
            frame_every,
            next_frame: next_after(time, frame_every, run),
            checkpoint_every,
            next_checkpoint: checkpoint_every
                .map_or(f64::INFINITY, |every| next_after(time, every, run)),
            _lock: lock,
        })
    }

    /// The folder.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The file that viewers open.
    pub fn trajectory(&self) -> PathBuf {
        self.trajectory.file()
    }

    /// Writes what is due after a step.
    pub fn after_step(&mut self, run: &Run, report: &StepReport) -> Result<(), Failure> {
        self.steps.row(&StepRow::of(report).numbers())?;
        self.sensor_rows(run)?;
        let soon = report.time + 0.5 * report.step_size;
        if soon >= self.next_frame {
            self.trajectory.frame(&run.simulation)?;
            self.flush()?;
            self.next_frame = next_after(report.time, self.frame_every, run);
        }
        if let Some(every) = self
            .checkpoint_every
            .filter(|_| soon >= self.next_checkpoint)
        {
            self.checkpoint(run)?;
            self.next_checkpoint = next_after(report.time, every, run);
        }
        Ok(())
    }

    /// Notes a step that was refused, so that the table tells why the run ended. The run did not reach the time of this row: if it
    /// goes on, the row is cut off, and the step is made again.
    pub fn refused_step(&mut self, report: &StepReport) -> Result<(), Failure> {
        Ok(self.steps.row(&StepRow::of(report).numbers())?)
    }

    /// The steps that the table has by now.
    pub fn past_steps(&mut self, mut each: impl FnMut(&StepRow)) -> Result<(), Failure> {
        self.steps.flush()?;
        let path = self.directory.join(format!("{STEPS}.csv"));
        Ok(read_csv(path, &step_table::names(), |row| {
            each(&StepRow::from_numbers(row));
        })?)
    }

    fn sensor_rows(&mut self, run: &Run) -> Result<(), Failure> {
        for (sensor, row) in run.sensors() {
            if let Some(table) = self.sensors.get_mut(sensor.name()) {
                table.row(row)?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failure> {
        self.steps.flush()?;
        for table in self.sensors.values_mut() {
            table.flush()?;
        }
        Ok(())
    }

    /// Writes the whole state.
    pub fn checkpoint(&mut self, run: &Run) -> Result<(), Failure> {
        self.flush()?;
        let simulation = &run.simulation;
        self.checkpoints
            .write(run, simulation.steps(), simulation.time())?;
        Ok(())
    }

    /// Writes the last picture; gives its path.
    pub fn finish(&mut self, run: &Run) -> Result<PathBuf, Failure> {
        self.flush()?;
        let path = self.directory.join("picture.png");
        let caption = format!("{}  t = {:.3} s", run.title, run.simulation.time());
        picture::by_speed(&run.simulation, caption).save_png(&path)?;
        Ok(path)
    }
}

/// Refuses a form of the trajectory that this program cannot write, before anything is written.
pub fn check_format(run: &Run) -> Result<(), Failure> {
    format_of(run)
        .check()
        .map_err(|fault| Failure::new(format!("output.format: {fault}")))
}

fn format_of(run: &Run) -> Format {
    match run.output.format {
        TrajectoryFormat::Vtp => Format::Series,
        TrajectoryFormat::Vtkhdf => Format::VtkHdf,
    }
}

fn store(directory: &Path) -> CheckpointStore {
    CheckpointStore::in_directory(directory.join(CHECKPOINTS)).of_kind("run", STATE_VERSION)
}

/// The next multiple of `every` after a time, to half a step: a function of the time alone, so that a run that was
/// interrupted writes the same frames.
fn next_after(time: f64, every: f64, run: &Run) -> f64 {
    let half = 0.5 * run.simulation.step_size().unwrap_or(0.0);
    every * (((time + half) / every).floor() + 1.0)
}
