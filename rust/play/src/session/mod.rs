//! A session: the engine with its table, the options in force, and a book. Under UCI and under Python's `Engine`.
//!
//! A session does one thing at a time. What runs is ended, or told that the expected move was played, by its
//! [`Control`]; [`Search`] keeps what it finds for the threads that wait.

pub mod book;
pub mod options;
pub mod search;

use std::{io, path::PathBuf, sync::Arc};

use shakmaty::{Chess, Move};

pub use book::Book;
pub use options::{Kind, OPTIONS, Options, Spec, Value, find, nearest};
pub use search::{End, Search};

use crate::network::Network;
use crate::{Control, Engine, Error, Game, Info, Limit, Outcome, Settings};

/// The engine, its options, its book.
///
/// ```
/// use betacut_play::session::{Session, Value};
/// use betacut_play::{Control, Game, Limit};
/// let mut session = Session::default();
/// session.configure(session.options().clone().with("Hash", Value::Spin(1)), &[]).unwrap();
/// let game = Game::from_fen("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", shakmaty::CastlingMode::Standard).unwrap();
/// let limit = Limit { depth: Some(3), ..Limit::default() };
/// let outcome = session.search(&game, &limit, &Control::new(), &mut |_| ()).unwrap();
/// assert_eq!(outcome.best.unwrap().to_string(), "Rf1-h1");
/// ```
#[derive(Default)]
pub struct Session {
    options: Options,
    /// The network of the file that the options name.
    network: Option<Arc<Network>>,
    /// None until it is needed, and after a fault of its own.
    engine: Option<Engine>,
    /// That of the file that the options name, whether it is used or not.
    book: Option<Book>,
}

impl Session {
    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The engine, made if there is none yet.
    /// Errors: [`Error`] if it cannot be what the options want.
    pub fn engine(&mut self) -> Result<&mut Engine, Error> {
        match &mut self.engine {
            Some(engine) => Ok(engine),
            none => {
                let network = self.options.network(self.network.as_ref());
                Ok(none.insert(Engine::new(Settings { network, ..self.options.settings() })?))
            }
        }
    }

    /// The network that evaluates, if one does.
    pub fn network(&self) -> Option<Arc<Network>> {
        self.options.network(self.network.as_ref())
    }

    /// Changes the options. The files of those that are `named` are read again.
    /// Errors: [`Error`] if the engine cannot be set so; the old options stay then.
    pub fn configure(&mut self, options: Options, named: &[&str]) -> Result<(), Error> {
        let is_named = |name| named.contains(&name);
        let is_kept = |name| options.path(name) == self.options.path(name) && !is_named(name);
        let loaded = if is_kept("EvalFile") {
            self.network.clone()
        } else {
            options.path("EvalFile").as_deref().map(Network::load).transpose()?.map(Arc::new)
        };
        let open = |path: PathBuf| Book::open(&path).map_err(|error| Error::NoBook { path, error });
        let opened =
            if is_kept("BookFile") { None } else { Some(options.path("BookFile").map(open).transpose()?) };
        let settings = Settings { network: options.network(loaded.as_ref()), ..options.settings() };
        match &mut self.engine {
            Some(engine) if *engine.settings() == settings && !is_named("SyzygyPath") => {}
            Some(engine) => engine.configure(settings, is_named("SyzygyPath"))?,
            none => *none = Some(Engine::new(settings)?),
        }
        (self.options, self.network) = (options, loaded);
        if let Some(book) = opened {
            self.book = book;
        }
        Ok(())
    }

    /// A move of the book, drawn by a random number; none if it is not to be used, in analysis, and where it has none.
    /// Errors: if the book cannot be read.
    pub fn book_move(&mut self, position: &Chess, random: u64) -> io::Result<Option<Move>> {
        let is_used = self.options.is_on("OwnBook") && !self.options.is_on("UCI_AnalyseMode");
        let book = self.book.as_mut().filter(|_| is_used);
        book.map_or(Ok(None), |book| book.choose(position, random))
    }

    /// Forgets everything that was found.
    pub fn clear(&mut self) {
        self.engine.iter_mut().for_each(Engine::clear);
    }

    /// Gives up an engine that has failed; the next search makes another.
    pub fn renew(&mut self) {
        self.engine = None;
    }

    /// [`Engine::search`]. What is reported last is what the answer goes by.
    /// Errors: as [`Session::engine`].
    pub fn search(
        &mut self,
        game: &Game,
        limit: &Limit,
        control: &Control,
        report: &mut dyn FnMut(&Info),
    ) -> Result<Outcome, Error> {
        let mut last: Vec<Info> = Vec::new();
        let outcome = self.engine()?.search(game, limit, control, &mut |info| {
            last.truncate(info.multipv - 1);
            last.push(info.clone());
            report(info);
        });
        let is_said = last.len() == outcome.lines.len()
            && last.iter().zip(&outcome.lines).all(|(said, line)| said.says_the_same(line));
        if !is_said {
            outcome.lines.iter().for_each(report);
        }
        Ok(outcome)
    }
}
