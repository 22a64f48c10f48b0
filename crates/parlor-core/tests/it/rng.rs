//! Random numbers: frozen vectors. If one of these changes, old logs deal other cards, which is never acceptable.

use parlor_core::{Purpose, Rng, Seed};

fn seed() -> Seed {
    let bytes: Vec<u8> = (0..96).collect();
    Seed::from_bytes(bytes.as_slice().try_into().expect("96 bytes"))
}

fn draws(rng: &mut Rng, n: u32) -> Vec<u32> {
    (0..8).map(|_| rng.below(n)).collect()
}

#[test]
fn the_stream_is_frozen() {
    let mut rng = Rng::new(seed(), 1);
    assert_eq!(draws(&mut rng, 1000), FROZEN_DRAWS);
    let mut cards: Vec<u8> = (0..52).collect();
    rng.shuffle(&mut cards);
    assert_eq!(cards, FROZEN_DECK);
    let mut tiles: Vec<u8> = (0..136).collect();
    Rng::new(seed(), 2).shuffle(&mut tiles);
    assert_eq!(blake3::hash(&tiles).to_hex()[..16], *FROZEN_WALL);
}

#[test]
fn text_seeds_commitments_and_nonces_are_frozen() {
    assert_eq!(Seed::from_text("parlor").commitment()[..16], *FROZEN_COMMITMENT);
    let mixed = seed().with_nonces(&["ab".to_owned(), "c".to_owned()]);
    assert_eq!(mixed.commitment()[..16], *FROZEN_NONCES);
    let moved = seed().with_nonces(&["a".to_owned(), "bc".to_owned()]);
    assert_ne!(mixed, moved, "where one nonce ends and the next begins matters");
    assert_eq!(seed().with_nonces(&[]), seed());
    assert_eq!(Seed::from_hex(&seed().to_hex()), Some(seed()));
    assert_eq!(Seed::from_hex("abc"), None);
}

/// A poker table draws its deck so: one number for each card, whatever the numbers come from.
#[test]
fn the_front_of_a_shuffle_is_drawn_item_by_item() {
    let sources: [fn() -> Rng; 2] = [|| Rng::fast(7), || Rng::new(seed(), 1)];
    for source in sources {
        let (mut one, mut other, mut keeps) = (source(), source(), source());
        keeps.keep();
        let mut front: Vec<u8> = (0..52).collect();
        let (mut single, mut kept) = (front.clone(), front.clone());
        for count in [0, 1, 7, 52] {
            one.shuffle_front(&mut front, count);
            keeps.shuffle_front(&mut kept, count);
            for at in 0..count {
                let item = at + other.below(52 - at as u32) as usize;
                single.swap(at, item);
            }
            assert_eq!((&front, &kept), (&single, &single), "{count} items");
        }
        assert_eq!(one.below(1_000), other.below(1_000), "and no number more");
        assert!(keeps.kept().len() >= 60, "what is drawn is kept");
    }
}

#[test]
fn the_fast_generator_is_frozen_too() {
    assert_eq!(draws(&mut Rng::fast(7), 1000), FROZEN_FAST);
}

#[test]
fn matches_and_purposes_have_streams_of_their_own() {
    let mut all = vec![draws(&mut Rng::new(seed(), 1), 1 << 30), draws(&mut Rng::new(seed(), 2), 1 << 30)];
    let rng = Rng::new(seed(), 1);
    for (purpose, deal) in [
        (Purpose::Undo, 1),
        (Purpose::Bot(0), 1),
        (Purpose::Bot(1), 1),
        (Purpose::Bot(0), 2),
        (Purpose::Seating, 0),
    ] {
        all.push(draws(&mut rng.for_purpose(purpose, deal), 1 << 30));
    }
    all.push(draws(&mut Rng::new(seed().of_match(2), 1), 1 << 30));
    for (n, one) in all.iter().enumerate() {
        assert!(all[..n].iter().all(|other| other != one), "stream {n} repeats another");
    }
}

#[test]
fn drawing_aside_moves_nothing() {
    let mut rng = Rng::new(seed(), 1);
    draws(&mut rng.for_purpose(Purpose::Bot(3), 9), 10);
    assert_eq!(draws(&mut rng, 1000), FROZEN_DRAWS);
}

#[test]
fn every_number_below_n_comes_up_equally_often() {
    for (mut rng, name) in [(Rng::new(seed(), 1), "seeded"), (Rng::fast(1), "fast")] {
        let mut counts = [0_i32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        // Five standard deviations of a count with mean 10,000.
        assert!(counts.iter().all(|count| (count - 10_000).abs() < 465), "{name}: {counts:?}");
    }
}

#[test]
fn a_seed_never_prints_itself() {
    // cites 000/R6
    assert_eq!(format!("{:?} {:?}", seed(), Rng::new(seed(), 1)), "Seed(…) Luck(…)");
}

// The first five were computed by an independent program from the definition alone: BLAKE3 and ChaCha20 as published.
const FROZEN_DRAWS: [u32; 8] = [826, 990, 70, 596, 233, 300, 678, 673];
const FROZEN_DECK: [u8; 52] = [
    51, 17, 46, 38, 6, 22, 23, 13, 32, 8, 9, 47, 21, 30, 11, 49, 14, 41, 26, 25, 10, 7, 28, 20, 33, 19, 4,
    34, 12, 3, 35, 2, 40, 24, 39, 18, 50, 45, 29, 16, 43, 15, 36, 37, 5, 1, 27, 44, 0, 42, 31, 48,
];
const FROZEN_WALL: &str = "e3f70cfa0b92cd98";
const FROZEN_COMMITMENT: &str = "8efd890b683e2b86";
const FROZEN_NONCES: &str = "36447e6d1a378ae6";
const FROZEN_FAST: [u32; 8] = [55, 172, 717, 427, 963, 465, 723, 329];
