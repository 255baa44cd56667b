//! The route between load and server.

use super::{Kind, READS};
use crate::generator::condition::{Base, Delay, Injection, Matter, Outside, Shape};
use crate::generator::random::Random;

/// The kinds of this family.
pub const KINDS: &[Kind] = &[
    Kind { name: "delay", shapes: READS, draw: delay, weight: 2 },
    Kind { name: "delay of big answers", shapes: BIG_ANSWERS, draw: big, weight: 2 },
    Kind { name: "rate of the route", shapes: BIG_ANSWERS, draw: rate, weight: 2 },
    Kind { name: "late packets", shapes: READS, draw: late, weight: 1 },
    Kind { name: "lost packets", shapes: READS, draw: lost, weight: 2 },
    Kind { name: "small packets", shapes: BIG_ANSWERS, draw: mtu, weight: 2 },
];

/// Shapes with answers of several packets.
const BIG_ANSWERS: &[Shape] = &[Shape::BigResult, Shape::Sort, Shape::ManyColumns];

const ABOUT: &[Matter] = &[Matter::Network];

fn by_proxy(kind: &'static str, cause: String, more: &[&str], delay: Delay) -> Injection {
    let facts: &[&[&str]] = &[&["network"], &["route"], &["round trip"], more];
    Injection::new(kind, cause, facts, ABOUT)
        .with_sound_outside(Outside::Proxy(Delay::None))
        .with_outside(Outside::Proxy(delay))
}

fn delay(random: &mut Random, _: &Base) -> Injection {
    let micros = random.choose(&[50, 500, 3000]);
    by_proxy("delay", format!("{micros} µs more on the route"), &["proxy"], Delay::Each(micros))
}

fn big(random: &mut Random, _: &Base) -> Injection {
    let (over, micros) = (random.choose(&[2000, 8000]), random.choose(&[1000, 4000]));
    let cause = format!("answers of more than {over} bytes are held back for {micros} µs");
    by_proxy("delay of big answers", cause, &["bytes"], Delay::Big { over, micros })
}

fn rate(random: &mut Random, _: &Base) -> Injection {
    let kb = random.choose(&[1000, 10_000, 200_000]);
    by_proxy("rate of the route", format!("the route passes {kb} kB per second"), &["bandwidth"], Delay::Rate(kb))
}

fn late(random: &mut Random, _: &Base) -> Injection {
    let every = random.choose(&[20, 200, 2000]);
    by_proxy("late packets", format!("one answer in {every} is held back for 200 ms"), &["stall"], Delay::Some(every))
}

fn lost(random: &mut Random, _: &Base) -> Injection {
    let per_mille = random.choose(&[1, 10, 50]);
    Injection::new(
        "lost packets",
        format!("{per_mille} of 1000 packets of the server are lost"),
        &[&["packet loss"], &["lost packets"], &["packets", "lost"], &["retransmi"]],
        ABOUT,
    )
    .with_sound_outside(Outside::Tcp)
    .with_outside(Outside::LossPerMille(per_mille))
}

fn mtu(random: &mut Random, _: &Base) -> Injection {
    let bytes = random.choose(&[400, 1400]);
    Injection::new(
        "small packets",
        format!("packets of {bytes} bytes on the route"),
        &[&["MTU"], &["MSS"], &["segment size"], &["packet"]],
        ABOUT,
    )
    .with_sound_outside(Outside::Tcp)
    .with_outside(Outside::Mtu(bytes))
}
