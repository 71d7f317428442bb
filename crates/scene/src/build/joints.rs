//! Joints.

use super::Builder;

impl Builder<'_> {
    pub(super) fn add_joints(&mut self) {
        if !self.file.joints.is_empty() {
            self.error("joints[0]", "joints are not available yet");
        }
    }
}
