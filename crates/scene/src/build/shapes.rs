//! Shapes.

use super::bodies::quaternion;
use super::{Builder, Told};
use crate::model::{Convex, Part, Shape as Described, ShapeRef};
use crate::nearest::suggestion;
use glam::DVec3;
use moreau_collision::mesh_file::load_surface;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{
    Capsule, Compound, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, Frustum, HalfSpace,
    HeightField, HollowCylinder, OpenBox, Shape, ShapeError, Sphere, TriangleMesh,
    VolumeProperties, decompose,
};
use std::sync::Arc;

impl<'a> Builder<'a> {
    /// Looks at every named shape, also at those that nobody uses. They are made for fixed bodies, which may have any.
    pub(super) fn check_shapes(&mut self) {
        let file = self.file;
        for (name, shape) in &file.shapes {
            // Files are read where they are used, once for each use.
            if !matches!(shape, Described::Mesh { .. }) {
                let _ = self.shape(&format!("shapes.{name}"), shape, false, 0);
            }
        }
    }

    /// The table's number of a shape.
    pub(super) fn shape_entry(
        &mut self,
        path: &str,
        shape: &'a ShapeRef,
        rigid: bool,
    ) -> Result<u32, Told> {
        match shape {
            ShapeRef::Name(name) => {
                if let Some(index) = self.shapes.get(&(name.as_str(), rigid)) {
                    return Ok(*index);
                }
                let shape = self.shape_of(path, shape, rigid)?;
                let index = self.simulation.add_shape(shape);
                self.shapes.insert((name, rigid), index);
                Ok(index)
            }
            ShapeRef::Inline(_) => {
                let shape = self.shape_of(path, shape, rigid)?;
                Ok(self.simulation.add_shape(shape))
            }
        }
    }

    /// The shape itself, for rigid bodies or for others.
    pub(super) fn shape_of(
        &mut self,
        path: &str,
        shape: &'a ShapeRef,
        rigid: bool,
    ) -> Result<Shape, Told> {
        self.nested_shape_of(path, shape, rigid, 0)
    }

    fn nested_shape_of(
        &mut self,
        path: &str,
        shape: &'a ShapeRef,
        rigid: bool,
        depth: u32,
    ) -> Result<Shape, Told> {
        match shape {
            ShapeRef::Inline(shape) => self.shape(path, shape, rigid, depth),
            ShapeRef::Name(name) => match self.file.shapes.get(name) {
                Some(shape) => self.shape(&format!("shapes.{name}"), shape, rigid, depth),
                None => {
                    let names = self.file.shapes.keys();
                    let names: Vec<&str> = names.map(String::as_str).collect();
                    let help = suggestion(name, &names);
                    let message = format!("there is no shape '{name}'");
                    Err(self.error_with_help(path, message, help))
                }
            },
        }
    }

    fn shape(
        &mut self,
        path: &str,
        shape: &'a Described,
        rigid: bool,
        depth: u32,
    ) -> Result<Shape, Told> {
        let made = match shape {
            Described::Mesh {
                path: file,
                scale,
                convex,
            } => return self.mesh(path, file, *scale, *convex, rigid),
            Described::Compound { parts } => return self.compound(path, parts, rigid, depth),
            Described::Sphere { radius } => Sphere::new(*radius).map(Shape::Sphere),
            Described::Ellipsoid { semi_axes } => {
                Ellipsoid::new(DVec3::from_array(*semi_axes)).map(Shape::Ellipsoid)
            }
            Described::Box { half_extents } => {
                Cuboid::new(DVec3::from_array(*half_extents)).map(Shape::Cuboid)
            }
            Described::Capsule {
                half_length,
                radius,
            } => Capsule::new(*half_length, *radius).map(Shape::Capsule),
            Described::Cylinder {
                half_height,
                radius,
            } => Cylinder::new(*half_height, *radius).map(Shape::Cylinder),
            Described::Cone {
                half_height,
                radius,
            } => Cone::new(*half_height, *radius).map(Shape::Cone),
            Described::ConvexHull { points } => {
                let points: Vec<DVec3> = points.iter().map(|p| DVec3::from_array(*p)).collect();
                ConvexHull::from_points(&points).map(|hull| Shape::ConvexHull(Arc::new(hull)))
            }
            Described::HalfSpace => Ok(Shape::HalfSpace(HalfSpace)),
            Described::HeightField {
                columns,
                spacing,
                heights,
            } => height_field(*columns, *spacing, heights),
            Described::HollowCylinder {
                inner_radius,
                half_height,
                thickness,
                bottom,
                top,
            } => HollowCylinder::new(*inner_radius, *half_height, *thickness, *bottom, *top)
                .map(Shape::HollowCylinder),
            Described::OpenBox {
                half_extents,
                thickness,
                lid,
            } => {
                OpenBox::new(DVec3::from_array(*half_extents), *thickness, *lid).map(Shape::OpenBox)
            }
            Described::Frustum {
                lower_radius,
                upper_radius,
                half_height,
                thickness,
            } => Frustum::new(*lower_radius, *upper_radius, *half_height, *thickness)
                .map(Shape::Frustum),
        };
        self.told(path, made)
    }

    /// Where convex pieces are needed, a mesh becomes what the file says and nothing else.
    fn mesh(
        &mut self,
        path: &str,
        file: &str,
        scale: f64,
        convex: Option<Convex>,
        rigid: bool,
    ) -> Result<Shape, Told> {
        let place = self.scene.directory.join(file);
        let surface = load_surface(&place)
            .map_err(|error| self.file_error(&format!("{path}.path"), &place, error.to_string()))?;
        let vertices: Vec<DVec3> = surface.vertices.iter().map(|v| *v * scale).collect();
        if convex == Some(Convex::Hull) {
            let hull = ConvexHull::from_points(&vertices);
            return Ok(Shape::ConvexHull(Arc::new(self.told(path, hull)?)));
        }
        let mesh = TriangleMesh::new(vertices, surface.triangles);
        let mesh = self.told(path, mesh)?;
        if convex == Some(Convex::Decompose) {
            let pieces = decompose(&mesh);
            return Ok(Shape::Compound(Arc::new(self.told(path, pieces)?)));
        }
        if !rigid {
            return Ok(Shape::TriangleMesh(Arc::new(mesh)));
        }
        if mesh.is_convex() {
            let hull = ConvexHull::from_points(&mesh.vertices);
            return Ok(Shape::ConvexHull(Arc::new(self.told(path, hull)?)));
        }
        let message = format!("the mesh '{file}' is not convex, and a rigid body has it");
        let help = "say convex = \"decompose\" for convex pieces, or convex = \"hull\" to fill its hollows";
        Err(self.error_with_help(path, message, Some(help.into())))
    }

    fn compound(
        &mut self,
        path: &str,
        parts: &'a [Part],
        rigid: bool,
        depth: u32,
    ) -> Result<Shape, Told> {
        if depth > 0 {
            let help = "give its parts instead";
            return Err(self.error_with_help(
                path,
                "a part of a compound is a compound",
                Some(help.into()),
            ));
        }
        let mut made = Vec::with_capacity(parts.len());
        let mut solids = Vec::with_capacity(parts.len());
        let mut size = f64::INFINITY;
        for (number, part) in parts.iter().enumerate() {
            let path = format!("{path}.parts[{number}]");
            let rotation = quaternion(part.rotation.as_ref());
            let rotation = self.told(&format!("{path}.rotation"), rotation)?;
            let pose = Pose::new(DVec3::from_array(part.position), rotation);
            let shape =
                self.nested_shape_of(&format!("{path}.shape"), &part.shape, rigid, depth + 1)?;
            size = size.min(shape.size());
            solids.push(shape.volume_properties().map(|solid| solid.moved(&pose)));
            // A mesh that was cut into pieces gives them, and weighs what it weighed whole.
            match shape {
                Shape::Compound(pieces) => made.extend(
                    pieces
                        .parts
                        .iter()
                        .map(|(inner, piece)| (pose.compose(inner), piece.clone())),
                ),
                shape => made.push((pose, shape)),
            }
        }
        let compound = Compound::new(made);
        // That of its smallest part, not of the smallest piece of a part.
        let mut compound = self.told(path, compound)?.of_size(size);
        let solids: Option<Vec<VolumeProperties>> = solids.into_iter().collect();
        if let Some(solid) = solids.and_then(VolumeProperties::sum) {
            compound = compound.standing_for(solid);
        }
        Ok(Shape::Compound(Arc::new(compound)))
    }
}

fn height_field(columns: u32, spacing: [f64; 2], heights: &[f64]) -> Result<Shape, ShapeError> {
    let columns = columns as usize;
    if columns == 0 || !heights.len().is_multiple_of(columns) {
        return Err(ShapeError {
            what: "the number of heights".into(),
            found: format!("is {}", heights.len()),
            right: format!("it must be a multiple of columns = {columns}"),
        });
    }
    let rows = heights.len() / columns;
    HeightField::new(columns, rows, spacing, heights.to_vec())
        .map(|field| Shape::HeightField(Arc::new(field)))
}
