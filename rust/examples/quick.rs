use betacut::play::{Control, Engine, Game, Limit, Settings};
use shakmaty::CastlingMode;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut s = Settings::default();
    for a in args.iter().skip(3) {
        let (k, v) = a.split_once('=').unwrap();
        s.parameters.set(k, v.parse().unwrap()).unwrap();
    }
    let game = Game::from_fen(&args[1], CastlingMode::Standard).unwrap();
    let mut e = Engine::new(s).unwrap();
    let limit = Limit { depth: Some(args[2].parse().unwrap()), ..Limit::default() };
    e.search(&game, &limit, &Control::new(), &mut |i| {
        let pv: Vec<String> = i.pv.iter().map(|m| m.to_string()).collect();
        println!(
            "{} {} {:?} {} {:?} {} {}",
            i.depth,
            i.selective_depth,
            i.score,
            i.nodes,
            i.time,
            i.nodes_per_second,
            pv.join(" ")
        );
    });
}
