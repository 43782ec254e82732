//! The trainer as a whole.

use shakmaty::{Color, Position as _, Role};

use super::gradient::slope;
use super::model::{LANES, Model, centipawns};
use super::sample::Sample;
use super::*;
use crate::tuning::dataset::tests::positions as random_positions;
use crate::tuning::logistic::logistic;
use betacut_play::network::{BUCKETS, INPUT_LIMIT, OUTPUT_LIMIT};

/// A score that material alone makes, for White.
fn material(position: &Chess) -> i16 {
    let worth = |color| {
        let of =
            |(role, worth): (Role, i16)| worth * position.board().by_piece(role.of(color)).count() as i16;
        let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        roles.into_iter().zip([100, 300, 300, 500, 900]).map(of).sum::<i16>()
    };
    worth(Color::White) - worth(Color::Black)
}

/// Games of so many positions in all, whose scores say which side has more material.
fn games(count: u64) -> Vec<StoredGame> {
    let mut all = Vec::new();
    for plies in [10, 40, 70, 100, 130] {
        all.extend(random_positions(count / 5, plies));
    }
    let record = |position: &Chess| {
        let score = material(position);
        Record::pack(position, score, 8).with_result((1 + score.signum()) as u8)
    };
    let game = |(number, positions): (usize, &[Chess])| StoredGame {
        number: number as u32,
        result: 1,
        records: positions.iter().map(record).collect(),
    };
    all.chunks(10).enumerate().map(game).collect()
}

const QUICK: Options = Options {
    hidden: 16,
    epochs: 2,
    lessons: 0,
    share: 0.0,
    lambda: 0.0,
    batch: 128,
    rate: 0.01,
    lesson_rate: 0.01,
    decay: 0.01,
    seed: 1,
    threads: 1,
    constant: Some(0.004),
};

fn trained(options: &Options, count: u64, reports: &mut Vec<Report>) -> Trained {
    let mut positions = Positions::of_games(games(count), options.seed, 10, 2);
    train(&mut positions, None, options, &mut |report| reports.push(*report)).unwrap()
}

#[test]
fn the_gradient_is_what_small_steps_show() {
    let aim = Aim { constant: 0.004, lambda: 0.3 };
    let records: Vec<Record> = games(100).into_iter().flat_map(|game| game.records).collect();
    let samples: Vec<Sample> = records.iter().map(|record| aim.sample(record)).collect();
    let mut model = Model::new(32, 7);
    let sharpness = centipawns(aim.constant);
    let mut gradient = vec![[0.0; LANES]; model.rows.len()];
    let sum = slope(&model, samples.iter().cloned(), sharpness, &mut gradient);
    let loss = |model: &Model| -> f64 {
        let error = |sample: &Sample| logistic(sharpness * model.value(&sample.seen)) - sample.target;
        samples.iter().map(|sample| f64::from(error(sample)).powi(2)).sum()
    };
    assert!((sum - loss(&model)).abs() < 1e-4 * sum, "{sum} {}", loss(&model));
    let mut compared = [0; 4];
    for at in 0..model.rows.len() {
        let lane = at % LANES;
        let slope = f64::from(gradient[at][lane]);
        if slope.abs() < 0.01 * sum / samples.len() as f64 {
            continue;
        }
        let (kept, step) = (model.rows[at][lane], 1e-3);
        let mut with = |number: f32| {
            model.rows[at][lane] = number;
            loss(&model)
        };
        let steps = (with(kept + step) - with(kept - step)) / f64::from(2.0 * step);
        with(kept);
        assert!((steps - slope).abs() < 0.03 * slope.abs() + 2e-3, "{at}: {steps} {slope}");
        let parts = [model.shape.biases(), model.shape.output(0), model.shape.output_biases()];
        compared[parts.iter().filter(|part| at >= **part).count()] += 1;
    }
    assert!(compared[0] > 300 && compared[1] == 2 && compared[2] > 10 && compared[3] == 1, "{compared:?}");
}

#[test]
fn material_is_learned_from_scores() {
    let mut reports = Vec::new();
    let trained = trained(&Options { epochs: 8, ..QUICK }, 12_000, &mut reports);
    let mut positions = Positions::of_games(games(12_000), QUICK.seed, 10, 2);
    let aim = Aim { constant: 0.004, lambda: 0.0 };
    let targets: Vec<f64> =
        positions.validation.iter().map(|record| aim.sample(record).target.into()).collect();
    let mean = targets.iter().sum::<f64>() / targets.len() as f64;
    let constant = targets.iter().map(|target| (target - mean).powi(2)).sum::<f64>() / targets.len() as f64;
    let (losses, whole) = (trained.losses, trained.whole);
    assert!(losses.targets < constant / 20.0, "{losses} of {constant}");
    assert!(trained.rivals.score.scores < 1e-12 && trained.rivals.score.results > 0.01);
    assert_eq!(reports.len(), 1 + 8);
    // Whole numbers lose nothing but what is cut off after the point.
    assert!((losses.targets - whole.targets).abs() < 1e-5, "{losses} {whole}");
    let model = Model::of(&trained.network, trained.network.hidden, 1);
    positions.validation.truncate(300);
    for record in &positions.validation {
        let float = centipawns(model.value(&aim.sample(record).seen));
        let whole = trained.network.evaluate(&record.unpack().unwrap()) as f32;
        assert!((float - whole).abs() < 1.1, "{float} {whole}");
    }
}

#[test]
fn equal_seeds_make_equal_networks_on_any_number_of_threads() {
    let options =
        Options { lessons: 1100, share: 0.3, batch: 1100, epochs: 4, lambda: 0.5, constant: None, ..QUICK };
    let bytes = |options: &Options| {
        let trained = trained(options, 2500, &mut Vec::new());
        assert!(trained.epoch > 0);
        let bytes = trained.network.to_bytes();
        assert!(Network::read(&bytes).unwrap() == trained.network);
        bytes
    };
    let one = bytes(&options);
    assert!(one == bytes(&Options { threads: 3, ..options }));
    assert!(one != bytes(&Options { seed: 2, ..options }));
    assert!(one != bytes(&Options { share: 0.0, ..options }));
}

#[test]
fn the_start_is_no_candidate() {
    let start = trained(&Options { epochs: 8, ..QUICK }, 2500, &mut Vec::new());
    let mut positions = Positions::of_games(games(2500), QUICK.seed, 10, 2);
    let worse =
        train(&mut positions, Some(&start.network), &Options { rate: 0.5, ..QUICK }, &mut |_| ()).unwrap();
    assert!(
        worse.epoch > 0 && worse.losses.targets > start.losses.targets,
        "{} {}",
        worse.losses,
        start.losses
    );
    assert!(worse.network != start.network);
}

#[test]
fn lessons_teach_the_evaluation() {
    let mut reports = Vec::new();
    let options = Options { epochs: 0, lessons: 40_000, constant: None, ..QUICK };
    let taught = trained(&options, 2500, &mut reports).taught.unwrap();
    let told: Vec<f64> = reports
        .iter()
        .filter_map(|report| if let Report::Lessons(_, loss) = report { Some(*loss) } else { None })
        .collect();
    assert_eq!(told.len(), 10);
    assert!(taught.training < told[0] / 4.0, "{told:?}");
    assert!(taught.difference < 200.0);
    // Nothing was learned from games: the network is that of the lessons.
    assert_eq!(reports.last(), Some(&Report::Taught(taught)));
}

#[test]
fn what_a_record_shows_is_what_its_position_does() {
    for record in games(300).iter().flat_map(|game| &game.records) {
        let aim = Aim { constant: 0.004, lambda: 0.25 };
        let (position, sample) = (record.unpack().unwrap(), aim.sample(record));
        assert_eq!(sample.seen, features(&position));
        let sign = position.turn().fold_wb(1.0, -1.0);
        let result = f32::midpoint(1.0, sign * (f32::from(record.result()) - 1.0));
        let expected = 0.25 * result + 0.75 * logistic(0.004 * sign * f32::from(record.score()));
        assert!((sample.target - expected).abs() < 1e-6);
    }
}

#[test]
fn numbers_stay_where_sixteen_bits_hold_them() {
    let model = Model::new(16, 3);
    let mut descent = Descent::new(model, 2.0, 1);
    let aim = Aim { constant: 0.004, lambda: 0.0 };
    let records: Vec<Record> = games(50).into_iter().flat_map(|game| game.records).collect();
    let samples = |range: Range<usize>| records[range].iter().map(|record| aim.sample(record));
    for _ in 0..100 {
        descent.batch(records.len(), samples, Pace { rate: 0.5, decay: 0.0 });
    }
    let network = descent.model.quantised("fast".to_owned());
    let most = |weights: &[i16]| weights.iter().map(|weight| weight.abs()).max().unwrap();
    assert_eq!(most(&network.input_weights), INPUT_LIMIT);
    assert_eq!(most(&network.output_weights), OUTPUT_LIMIT);
    assert!(Network::read(&network.to_bytes()).unwrap() == network);
    assert_eq!(Model::of(&network, network.hidden, 1), descent.model);
    let wide = Model::of(&network, 2 * network.hidden, 1).quantised(String::new());
    for position in records.iter().map(|record| record.unpack().unwrap()) {
        assert_eq!(wide.evaluate(&position), network.evaluate(&position));
    }
}

#[test]
fn what_cannot_be_trained_is_refused() {
    let refused = |positions: &mut Positions, start: Option<&Network>, options: Options| {
        train(positions, start, &options, &mut |_| {}).unwrap_err().to_string()
    };
    let mut positions = Positions::of_games(games(100), 1, 5, 1);
    assert_eq!(
        refused(&mut positions, None, Options { hidden: 20, ..QUICK }),
        "a network must have a multiple of 16 neurons, at most 512, not 20"
    );
    let other = Model::new(32, 1).quantised(String::new());
    assert_eq!(
        refused(&mut positions, Some(&other), QUICK),
        "the network to start from has 32 neurons, more than 16"
    );
    positions.validation.clear();
    assert!(
        refused(&mut positions, None, QUICK)
            .ends_with("and 0 to test by are too few: there must be some of both")
    );
}

#[test]
fn damaged_records_are_left_out_and_told() {
    let mut games = games(100);
    games[1].records[2] = bytemuck::Zeroable::zeroed();
    let positions = Positions::of_games(games.clone(), 1, 5, 2);
    assert_eq!(positions.problems.len(), 1);
    assert!(positions.problems[0].starts_with("game 1, ply 0: "), "{:?}", positions.problems);
    let total: usize = games.iter().map(|game| game.records.len()).sum();
    assert_eq!(positions.training.len() + positions.validation.len(), total - 1);
    assert!(!positions.training.is_empty() && !positions.validation.is_empty());
}

#[test]
fn the_pace_rises_and_falls() {
    let rates = [0.0, 0.01, 0.02, 0.51, 1.0].map(|done| Pace { rate: 1.0, decay: 0.0 }.at(done).rate);
    for (rate, expected) in rates.into_iter().zip([0.01, 0.505, 1.0, 0.505, 0.01]) {
        assert!((rate - expected).abs() < 1e-5, "{rates:?}");
    }
    assert_eq!(BUCKETS, 8);
}
