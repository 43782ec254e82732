//! Development only.
use betacut::play::{Control, Engine, Game, Limit, Settings};
use shakmaty::CastlingMode;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut s = Settings::default();
    for a in args.iter().skip(2) { let (k, v) = a.split_once('=').unwrap(); s.parameters.set(k, v.parse().unwrap()).unwrap(); }
    let limit = Limit { depth: Some(args[1].parse().unwrap()), ..Limit::default() };
    let mut n = 0;
    for fen in betacut::uci::bench::POSITIONS {
        let mut e = Engine::new(s.clone()).unwrap();
        let game = Game::from_fen(fen, CastlingMode::Standard).unwrap();
        let o = e.search(&game, &limit, &Control::new(), &mut |_| {});
        n += o.lines[0].nodes;
    }
    println!("{n}");
}
