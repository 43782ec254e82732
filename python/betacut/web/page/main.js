// The page in a tab: it is drawn by page.js, and lives by a connection to the server.

import { connect } from "./connection.js";
import { Page } from "./page.js";

const page = new Page(document.querySelector(".bw"));
page.send = connect(() => page.address.current, (message) => page.receive(message), (isLost) => page.lost(isLost), () => page.cut());
