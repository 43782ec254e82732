//! The network as it is learned: in 32-bit floats, and clipped so that [`Network`] can hold it.
//!
//! Everything stands in rows of [`LANES`] numbers, which the compiler makes vectors of: for each row of neurons the weights of
//! the inputs; the neurons' biases; for each output the weights of our neurons and of theirs; the outputs' biases.

use betacut_core::random;
use betacut_play::network::{BUCKETS, INPUT_LIMIT, INPUTS, Network, OUTPUT_LIMIT, QA, QB, SCALE};

use super::sample::Seen;

/// Numbers of a row.
pub const LANES: usize = 16;
/// A row.
pub type Row = [f32; LANES];
/// A row of our neurons and of theirs.
pub type Pair = [Row; 2];

/// Where the parts of a network with so many rows of neurons begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows of a side's neurons.
    pub rows: usize,
}

impl Shape {
    /// The first row of the inputs' weights for a row of neurons.
    pub const fn inputs(row: usize) -> usize {
        INPUTS * row
    }

    /// The first row of the neurons' biases.
    pub const fn biases(self) -> usize {
        INPUTS * self.rows
    }

    /// The first row of an output's weights.
    pub const fn output(self, bucket: usize) -> usize {
        (INPUTS + 1 + 2 * bucket) * self.rows
    }

    /// The first row of an output's weights of our neurons, or of theirs.
    pub const fn weights(self, bucket: usize, side: usize) -> usize {
        self.output(bucket) + side * self.rows
    }

    /// The row of the outputs' biases.
    pub const fn output_biases(self) -> usize {
        self.output(BUCKETS)
    }

    /// How many rows there are.
    pub const fn len(self) -> usize {
        self.output_biases() + 1
    }

    /// What the numbers of a row may be.
    pub fn grid(self, row: usize) -> Grid {
        if row < self.output(0) {
            Grid { limit: f32::from(INPUT_LIMIT) / QA as f32, one: QA as f32 }
        } else if row < self.output_biases() {
            Grid { limit: f32::from(OUTPUT_LIMIT) / QB as f32, one: QB as f32 }
        } else {
            Grid { limit: 64.0, one: (QA * QB) as f32 }
        }
    }
}

/// What numbers of the network that is played with may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// How far they may be from 0.
    pub limit: f32,
    /// What 1 is in whole numbers.
    pub one: f32,
}

/// A number that is nearest to `number` and a whole one, divided by `one`.
pub fn rounded(number: f32, one: f32) -> f32 {
    // Numbers from here to its double have no digits after the point.
    const POINT: f32 = 12_582_912.0;
    (number * one + POINT - POINT) / one
}

/// A network that learns.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Its shape.
    pub shape: Shape,
    /// Its numbers.
    pub rows: Vec<Row>,
}

impl Model {
    /// A network that knows nothing: small weights at random.
    pub fn new(hidden: usize, seed: u64) -> Model {
        let shape = Shape { rows: hidden / LANES };
        let mut stream = random::splitmix64(seed);
        let mut number = |spread: f32| {
            let unit = (random::next(&mut stream) >> 40) as f32 / (1 << 23) as f32 - 1.0;
            spread * unit
        };
        let output = 1.0 / (2.0 * hidden as f32).sqrt();
        let mut rows = vec![[0.0; LANES]; shape.len()];
        for (at, row) in rows.iter_mut().enumerate() {
            let spread = if at < shape.biases() { 0.1 } else { output };
            *row = std::array::from_fn(|_| number(spread));
        }
        // A neuron is neither at rest nor saturated at the start.
        rows[shape.biases()..shape.output(0)].fill([0.3; LANES]);
        rows[shape.output_biases()].fill(0.0);
        Model { shape, rows }
    }

    /// The neurons of a side.
    pub const fn hidden(&self) -> usize {
        self.shape.rows * LANES
    }

    /// What a row of our neurons and of theirs holds.
    #[inline(always)]
    pub fn neurons(&self, row: usize, seen: &Seen) -> Pair {
        let inputs = &self.rows[Shape::inputs(row)..][..INPUTS];
        let mut us = self.rows[self.shape.biases() + row];
        let mut them = us;
        for (&ours, &theirs) in seen.us[..seen.count].iter().zip(&seen.them[..seen.count]) {
            add(&mut us, &inputs[usize::from(ours)]);
            add(&mut them, &inputs[usize::from(theirs)]);
        }
        [us, them]
    }

    /// Adds what a row of neurons counts to `sums`.
    #[inline(always)]
    pub fn weigh(&self, row: usize, bucket: usize, neurons: &Pair, sums: &mut Row) {
        for (side, neurons) in neurons.iter().enumerate() {
            let weights = &self.rows[self.shape.weights(bucket, side) + row];
            for lane in 0..LANES {
                let cut = neurons[lane].clamp(0.0, 1.0);
                sums[lane] += cut * cut * weights[lane];
            }
        }
    }

    /// What a position is worth to the side to move: times [`SCALE`] it is centipawns.
    pub fn value(&self, seen: &Seen) -> f32 {
        let mut sums = [0.0; LANES];
        for row in 0..self.shape.rows {
            self.weigh(row, seen.bucket, &self.neurons(row, seen), &mut sums);
        }
        self.rows[self.shape.output_biases()][seen.bucket] + sum(&sums)
    }

    /// The same network in whole numbers.
    pub fn quantised(&self, note: String) -> Network {
        let halves = |first: usize, last: usize, one: i32| -> Vec<i16> {
            self.rows[first..last].as_flattened().iter().map(|x| (x * one as f32).round() as i16).collect()
        };
        let biases = self.rows[self.shape.output_biases()];
        let inputs = |input| (0..self.shape.rows).map(move |row| Shape::inputs(row) + input);
        Network {
            hidden: self.hidden(),
            note,
            input_biases: halves(self.shape.biases(), self.shape.output(0), QA),
            input_weights: (0..INPUTS).flat_map(inputs).flat_map(|at| halves(at, at + 1, QA)).collect(),
            output_weights: halves(self.shape.output(0), self.shape.output_biases(), QB),
            output_biases: std::array::from_fn(|bucket| (biases[bucket] * (QA * QB) as f32).round() as i32),
        }
    }

    /// A network to go on from, with so many neurons. Those that it has not yet begin at random and count for nothing: the
    /// values stay.
    pub fn of(network: &Network, hidden: usize, seed: u64) -> Model {
        let Model { shape, mut rows } = Model::new(hidden, seed);
        rows[shape.output(0)..].fill([0.0; LANES]);
        let mut copy = |halves: &[i16], one: i32, place: &dyn Fn(usize, usize) -> usize| {
            for (at, halves) in halves.chunks(network.hidden).enumerate() {
                for (row, halves) in halves.as_chunks().0.iter().enumerate() {
                    rows[place(at, row)] = halves.map(|half| f32::from(half) / one as f32);
                }
            }
        };
        copy(&network.input_weights, QA, &|input, row| Shape::inputs(row) + input);
        copy(&network.input_biases, QA, &|_, row| shape.biases() + row);
        copy(&network.output_weights, QB, &|half, row| shape.output(0) + half * shape.rows + row);
        for (bias, whole) in rows[shape.output_biases()].iter_mut().zip(network.output_biases) {
            *bias = whole as f32 / (QA * QB) as f32;
        }
        Model { shape, rows }
    }
}

/// Adds a row to another.
#[inline(always)]
pub fn add(sum: &mut Row, row: &Row) {
    for lane in 0..LANES {
        sum[lane] += row[lane];
    }
}

/// The sum of a row, always in the same order.
pub fn sum(row: &Row) -> f32 {
    let halves: [f32; 8] = std::array::from_fn(|lane| row[lane] + row[lane + 8]);
    let quarters: [f32; 4] = std::array::from_fn(|lane| halves[lane] + halves[lane + 4]);
    (quarters[0] + quarters[2]) + (quarters[1] + quarters[3])
}

/// A value in centipawns.
pub fn centipawns(value: f32) -> f32 {
    value * SCALE as f32
}
