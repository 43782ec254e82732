// The way to the server and back: one WebSocket, which is opened again when it is lost. The server keeps the session of
// a tab for some seconds; what was not read before is sent again then. Later the tab gets a new one, by its address.

const PAUSES = [0, 500, 1000, 2000, 4000]; // before each attempt; the last one stays
const MOST_WAITING = 20; // actions that wait for the connection
const PATIENCE = 10000; // every action is answered at once: a connection that is silent so long after one is dead
const NOTICED = 1000; // a loss that is mended so soon is not worth a word

/**
 * Connect this tab, which shows `address()`; `cut` is called when a connection ends, with which messages may be lost, and
 * `lost` is told when it is gone for longer, and comes. Return what sends a message.
 */
export function connect(address, receive, lost, cut) {
  const url = new URL("/betacut/socket", location.href.replace(/^http/, "ws"));
  const waiting = [];
  let socket = null, isOpen = false, tab = "", read = 0, tries = 0, retry = 0, patience = 0, noticed = 0;

  function open() {
    clearTimeout(retry);
    retry = 0;
    const opened = new WebSocket(url);
    socket = opened;
    opened.onopen = () => {
      isOpen = true;
      post({ tab, read, address: address() });
      waiting.splice(0).forEach(post);
    };
    opened.onmessage = ({ data }) => {
      if (socket !== opened) return;
      const message = JSON.parse(data);
      clearTimeout(patience);
      clearTimeout(noticed);
      tries = patience = noticed = 0;
      lost(false);
      if (message.tab) ({ tab } = message);
      read = message.number;
      receive(message);
    };
    opened.onclose = () => socket === opened && again();
  }

  function again() {
    socket.close();
    socket = null;
    clearTimeout(patience);
    patience = 0;
    if (isOpen) cut();
    isOpen = false;
    noticed ||= setTimeout(() => lost(true), NOTICED);
    retry = setTimeout(open, PAUSES[Math.min(tries++, PAUSES.length - 1)]);
  }

  function post(message) {
    socket.send(JSON.stringify(message));
    patience ||= setTimeout(again, PATIENCE);
  }

  window.addEventListener("online", () => retry && open());
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted && socket) again(); // the browser had put the page aside, and its connection with it
  });
  window.addEventListener("pagehide", () => socket?.close(1000));
  open();
  return (message) => {
    if (socket?.readyState === WebSocket.OPEN) return post(message);
    if (message.do === "edit" && waiting.at(-1)?.do === "edit") waiting.pop(); // each has the whole position
    if (waiting.length < MOST_WAITING) waiting.push(message);
  };
}
