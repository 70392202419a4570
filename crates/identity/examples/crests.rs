//! Prints a page with crests at 24, 48 and 96 pixels, to look at: `cargo run -p pentarchy-identity --example
//! crests`.

use pentarchy_identity::{Crest, short_name};

/// Prints an HTML page with 36 crests in three sizes, on a dark and on a light ground, to standard output.
fn main() {
    println!("<!doctype html><meta charset=utf-8><body style='margin:0;font:11px sans-serif;color:#f2ede3'>");
    for (row, ground) in ["#131210", "#f4f0e7"].into_iter().enumerate() {
        println!("<div style='background:{ground};padding:12px;display:flex;flex-wrap:wrap;gap:10px'>");
        for i in 0..36u32 {
            let key = blake3::derive_key("crest sheet", &i.to_le_bytes());
            print!("<div style='width:100px;color:#988'>");
            for size in [96, 48, 24] {
                let svg = Crest::of(&key).to_svg(&format!("c{row}-{i}-{size}"));
                print!("<span style='display:inline-block;width:{size}px;height:{size}px'>{svg}</span>");
            }
            println!("<br>{}</div>", short_name(&key));
        }
        println!("</div>");
    }
}
