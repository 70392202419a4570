//! Writes the corpora and checks them: `cargo run --example corpus` in this folder. File names are the stories.

use std::path::Path;

fn main() -> std::io::Result<()> {
    for corpus in pentarchy_table_fuzz::all() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(corpus.name);
        std::fs::create_dir_all(&folder)?;
        for (story, bytes) in corpus.stories {
            (corpus.check)(&bytes);
            // A byte changed here and there, and the length cut: a quick look before the long one.
            for i in (0..bytes.len()).step_by(bytes.len() / 16 + 1) {
                let mut changed = bytes.clone();
                changed[i] = changed[i].wrapping_add(1);
                (corpus.check)(&changed);
                (corpus.check)(&bytes[..i]);
            }
            std::fs::write(folder.join(story), bytes)?;
        }
    }
    Ok(())
}
