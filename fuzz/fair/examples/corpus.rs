//! Writes the corpora: `cargo run --example corpus` in this folder. File names are the stories of the messages.

use std::path::Path;

fn main() -> std::io::Result<()> {
    for target in pentarchy_fair_fuzz::all() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
        std::fs::create_dir_all(&folder)?;
        for (story, bytes) in target.stories() {
            target.check(&bytes);
            std::fs::write(folder.join(story), bytes)?;
        }
    }
    Ok(())
}
