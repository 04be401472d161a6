// The console's page: which agents there are, the screen of one of them, and all that was said to and by it.
import RFB from "/novnc/core/rfb.js";

const PROTOCOL = "desktop-agent";
const STATES = {
  stopped: "Stopped", starting: "Starting", waiting: "Waiting for words", working: "At work", asking: "Asks you",
  needs_human: "Needs you on its screen", taken: "You have the screen", paused: "Paused", failed: "Failed",
  elsewhere: "Runs elsewhere",
};
const WHO = { user: "YOU", assistant: "AGENT", command: "COMMAND", environment: "ENVIRONMENT" };
const AWAY = { stopped: "It is stopped. Start it, then say a goal.", elsewhere: "It runs in another program on this computer." };
const $ = (id) => document.getElementById(id);
const token = takenToken();
const viewer = [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");

let agents = [];
let current = "";
let rfb = null;
let shownScreen = "";
let mine = false;
let read = { name: "", count: 0, last: null, waiting: [] };
let shownOf = { name: "", change: 0 };
let reading = false;
let readAgain = false;

function takenToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("token") || "";
}

// ---- asking the console -------------------------------------------------------------------------

async function ask(method, path, body) {
  const options = { method, headers: { Authorization: `Bearer ${token}` } };
  if (method !== "GET") {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body ?? {});
  }
  const answer = await fetch(path, options);
  const said = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw new Error(words(said, answer.status));
  return said;
}

function words(said, status) {
  if (status === 401) return "The token is not that of this start. Open the address that the program printed.";
  if (said?.error) return [said.error, said.advice].filter(Boolean).join(" ");
  return `That was not taken (${status}).`;
}

async function attempt(action) {
  try {
    $("trouble").hidden = true;
    return await action();
  } catch (error) {
    $("trouble").textContent = error.message;
    $("trouble").hidden = false;
    return undefined;
  }
}

function sockets(path, more = []) {
  return { url: `ws://${location.host}${path}`, protocols: [PROTOCOL, `token.${token}`, ...more] };
}

function listen() {
  const { url, protocols } = sockets("/api/events");
  const socket = new WebSocket(url, protocols);
  socket.onmessage = (event) => {
    const news = JSON.parse(event.data);
    if (news.agents) agents = news.agents;
    for (const each of news.changed ?? []) agents = agents.map((old) => (old.name === each.name ? each : old));
    if (!agents.some((each) => each.name === current)) choose(agents[0]?.name ?? "");
    show();
  };
  socket.onclose = () => {
    $("trouble").textContent = token ? "The console has ended, or does not take this token. Trying again …" : "Open the address that the program printed: it holds the token.";
    $("trouble").hidden = false;
    if (token) setTimeout(listen, 1500);
  };
  socket.onopen = () => { $("trouble").hidden = true; };
}

// ---- which agent --------------------------------------------------------------------------------

const agent = () => agents.find((each) => each.name === current);

function choose(name) {
  if (name === current) return;
  current = name;
  read = { name, count: 0, last: null, waiting: [] };
  $("context").replaceChildren();
  closeScreen();
  show();
}

function cycle(step) {
  if (!agents.length) return;
  const at = agents.findIndex((each) => each.name === current);
  choose(agents[(at + step + agents.length) % agents.length].name);
}

document.addEventListener("keydown", (event) => {
  const busy = event.target.closest("textarea, input, dialog") || mine || event.ctrlKey || event.altKey || event.metaKey;
  if (busy || $("dialog").open) return;
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    event.preventDefault();
    cycle(event.key === "ArrowLeft" ? -1 : 1);
  }
});

// ---- what is shown ------------------------------------------------------------------------------

function show() {
  const one = agent();
  $("tabs").replaceChildren(...agents.map(tab));
  for (const id of ["rename", "delete", "run"]) $(id).hidden = !one;
  $("previous").hidden = $("next").hidden = agents.length < 2;
  document.title = one ? `${one.name}: ${STATES[one.state]}` : "Agents";
  $("state").hidden = !one;
  $("words").disabled = $("send").disabled = !one || ["stopped", "elsewhere"].includes(one.state);
  if (!one) {
    $("nothing").textContent = "There is no agent yet. Make one: it gets a computer of its own.";
    $("nothing").hidden = false;
    $("detail").textContent = "";
    $("take").hidden = $("question").hidden = $("environments").hidden = true;
    return;
  }
  const runs = !["stopped", "elsewhere"].includes(one.state);
  $("state").className = `state ${one.state}`;
  $("state").textContent = one.state === "taken" && !mine ? "Somebody has the screen" : STATES[one.state];
  $("detail").textContent = one.detail || one.goal;
  $("detail").title = $("detail").textContent;
  $("run").textContent = runs ? "Stop" : "Start";
  $("run").className = runs ? "stop" : "main";
  $("run").disabled = one.state === "elsewhere";
  $("delete").disabled = $("rename").disabled = runs || one.state === "elsewhere";
  if (one.state !== "taken") mine = false;
  $("take").hidden = !runs || !rfb;
  $("take").textContent = mine ? "Give it back" : one.state === "taken" ? "Take it over" : "Take the screen";
  $("take").className = one.state === "needs_human" || mine ? "main" : "";
  $("screen").classList.toggle("mine", mine);
  if (rfb) rfb.viewOnly = !mine;
  if (runs && !rfb) openScreen();
  if (!runs) closeScreen();
  $("nothing").hidden = Boolean(rfb);
  $("nothing").textContent = AWAY[one.state] ?? "Its screen is there once it works.";
  showQuestion(one);
  showEnvironments(one);
  readOn();
}

function tab(each) {
  const button = document.createElement("button");
  const dot = document.createElement("span");
  dot.className = "dot";
  button.className = each.state;
  button.role = "tab";
  button.ariaSelected = String(each.name === current);
  button.title = STATES[each.state];
  button.append(dot, each.name);
  button.onclick = () => choose(each.name);
  return button;
}

function showQuestion(one) {
  const box = $("question");
  const asked = one.asked;
  box.hidden = !asked;
  const shown = JSON.stringify([asked, one.name, mine]);
  if (!asked || box.dataset.shown === shown) return;
  box.dataset.shown = shown;
  const title = document.createElement("h2");
  const row = document.createElement("div");
  row.className = "row";
  box.replaceChildren(title);
  if (asked.type === "question") {
    title.textContent = asked.text;
    for (const choice of asked.choices) row.append(button(choice, () => ask("POST", `/api/agents/${one.name}/say`, { text: choice })));
    if (!asked.choices.length && !asked.on_screen) {
      const hint = document.createElement("p");
      hint.textContent = "Answer in the box below.";
      box.append(hint);
    }
    if (asked.on_screen) row.append(button(mine ? "Done: give it back" : "Take the screen", take, "main"));
  } else {
    title.textContent = asked.words;
    const exact = document.createElement("pre");
    exact.textContent = [...asked.exact, asked.window && `in ${asked.window}`, asked.why].filter(Boolean).join("\n");
    box.append(exact);
    const decide = (what, always) => ask("POST", `/api/agents/${one.name}/${what}`, { id: asked.id, always });
    row.append(button("No", () => decide("skip", false)), button("Yes", () => decide("approve", false), "main"));
    if (asked.lasting) row.append(button("Always", () => decide("approve", true)));
  }
  box.append(row);
}

function button(words, act, kind = "") {
  const found = document.createElement("button");
  found.textContent = words;
  found.className = kind;
  found.onclick = () => attempt(act);
  return found;
}

// ---- what was said ------------------------------------------------------------------------------

async function readOn() {
  if (!current) return;
  if (reading) {
    readAgain = true;
    return;
  }
  reading = true;
  try {
    let more = true;
    while (more) {
      const name = current;
      const lines = await ask("GET", `/api/agents/${name}/messages?after=${read.count}`);
      if (name !== current) continue;
      more = lines.length > 0;
      const box = $("context");
      const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 60;
      for (const line of lines) add(box, line);
      read.count += lines.length;
      if (atEnd) box.scrollTop = box.scrollHeight;
    }
  } catch {
    // The list of agents tells what is wrong.
  } finally {
    reading = false;
    if (readAgain) {
      readAgain = false;
      readOn();
    }
  }
}

function add(box, line) {
  const role = WHO[line.role] ? line.role : "environment";
  for (const part of line.content) {
    if (part.type === "text" && role === "command" && addCommands(box, part.text)) continue;
    const words = part.type === "text" && role === "environment" ? withoutOutcomes(part.text) : part.text;
    if (part.type === "text" && words.trim()) {
      const place = placeOf(box, role);
      place.append(`${place.childNodes.length ? "\n" : ""}${words}`);
    }
    if (part.type === "image" && part.source?.media_type === "image/png") {
      const picture = new Image();
      picture.alt = "What it saw";
      picture.loading = "lazy";
      picture.src = `data:image/png;base64,${part.source.data}`;
      placeOf(box, role).append(picture);
    }
  }
}

function placeOf(box, role) {
  if (read.last?.dataset.role === role) return read.last;
  const place = document.createElement("div");
  place.className = `message ${role}`;
  place.dataset.role = role;
  place.dataset.who = WHO[role];
  box.append(place);
  read.last = place;
  return place;
}

// ---- commands -----------------------------------------------------------------------------------

const NAME = "[a-z][a-z0-9_]{0,63}";
const FENCED = new RegExp(`^ {0,3}(\`{3,}|~{3,})[ \\t]*(${NAME})[ \\t]*\\n([\\s\\S]*?)\\n? {0,3}\\1[\`~]*\\s*$`);
const OUTCOME = new RegExp(`^- turn \\d+: (?:Ran|Running) a command in (${NAME}): (done|refused|failed|stopped|skipped)(?:, [^:]*)?(?:: (.*))?$`);
const QUOTED = "  | ";
const OWN = ["done", "ask", "fail"];
const FOLDED = 6;
const A_LINE = 80;
const MARKS = { done: "✓", refused: "✗", failed: "✗", stopped: "■", skipped: "–" };
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

// The text with every control, invisible and bidirectional character shown by its number.
function visible(text) {
  return text.replace(UNSEEN, (each) => ("\n\t".includes(each) ? each : `‹U+${each.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}›`));
}

// The commands in what a model said, each with its environment; none where something else is in it.
function commandsIn(text) {
  const fenced = FENCED.exec(text);
  if (fenced) return OWN.includes(fenced[2]) ? [] : [{ environment: fenced[2], command: fenced[3] }];
  try {
    const actions = JSON.parse(text).actions ?? [];
    const ran = actions.every((each) => each.op === "run" && typeof each.environment === "string" && typeof each.command === "string");
    return ran ? actions : [];
  } catch {
    return [];
  }
}

function addCommands(box, text) {
  const found = commandsIn(text);
  for (const each of found) {
    const card = commandCard(each);
    read.waiting.push({ environment: each.environment, card });
    box.append(card);
    read.last = null;
  }
  return found.length > 0;
}

function commandCard({ environment, command }) {
  const card = document.createElement("div");
  const head = document.createElement("div");
  const name = document.createElement("b");
  const outcome = document.createElement("span");
  const room = document.createElement("span");
  const copy = button("Copy", async () => {
    await navigator.clipboard.writeText(command);
    copy.textContent = "Copied";
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  }, "quiet");
  card.className = "card";
  card.role = "group";
  card.ariaLabel = `Command in ${environment}`;
  head.className = "head";
  name.textContent = environment;
  outcome.className = "outcome";
  room.className = "room";
  copy.title = "Copy the command";
  head.append(name, outcome, room, copy);
  card.append(head, ...foldedText("ran", command.replace(/\n+$/, "")));
  return card;
}

// A text in monospace; a long one shows its first lines, or its last, and a button for all of it.
function foldedText(kind, text, end = false) {
  const shown = document.createElement("pre");
  const all = visible(text);
  const lines = all.split("\n");
  const most = FOLDED * A_LINE;
  const few = end ? lines.slice(-FOLDED).join("\n").slice(-most) : lines.slice(0, FOLDED).join("\n").slice(0, most);
  shown.className = kind;
  shown.textContent = all;
  if (few === all) return [shown];
  const more = document.createElement("button");
  const unfold = (whole) => {
    shown.textContent = whole ? all : end ? `… ${few.trimStart()}` : `${few.trimEnd()} …`;
    more.textContent = whole ? "Show less" : lines.length > FOLDED ? `Show all ${lines.length} lines` : "Show all";
    more.ariaExpanded = String(whole);
  };
  more.className = "more";
  more.onclick = () => unfold(more.ariaExpanded !== "true");
  unfold(false);
  return [shown, more];
}

// What is left of the words of the environment, without what stands in the cards. Only what the record says of a command
// counts: a block of anything else may hold any text, and no text can end its block, whose mark it does not know.
function withoutOutcomes(text) {
  const left = [];
  let block = null;
  let told = null;
  for (const line of text.split("\n")) {
    const opens = block ? null : /^<<<(\w+) (\w+)$/.exec(line);
    if (opens) block = { origin: opens[1], end: `${opens[2]}>>>`, lines: [line], cards: 0 };
    else if (!block) left.push(line);
    else if (line === block.end) {
      settle(told);
      if (!block.cards || block.lines.length > 1) left.push(...block.lines, line);
      block = told = null;
    } else if (told && line.startsWith(QUOTED)) told.output.push(line.slice(QUOTED.length));
    else {
      settle(told);
      told = block.origin === "record" ? outcomeOf(line) : null;
      if (told) block.cards += 1;
      else block.lines.push(line);
    }
  }
  settle(told);
  return [...left, ...(block?.lines ?? [])].join("\n");
}

function outcomeOf(line) {
  const found = OUTCOME.exec(line);
  const at = found ? read.waiting.findIndex((each) => each.environment === found[1]) : -1;
  if (at < 0) return null;
  const [{ card }] = read.waiting.splice(at, 1);
  return { card, outcome: found[2], detail: found[3] ?? "", output: [] };
}

function settle(told) {
  if (!told) return;
  const { card, outcome, detail } = told;
  const printed = told.output.join("\n").replace(/^\n+|\n+$/g, "");
  const mark = card.querySelector(".outcome");
  mark.textContent = `${MARKS[outcome]} ${outcome}`;
  mark.classList.add(outcome);
  if (printed.trim()) card.append(...foldedText("printed", printed, outcome === "failed"));
  if (detail && !printed.trimStart().startsWith(detail)) {
    const reason = document.createElement("p");
    reason.textContent = visible(detail);
    card.append(reason);
  }
}

// ---- what the environments show -----------------------------------------------------------------

async function showEnvironments(one) {
  $("environments").hidden = !one.environments;
  if (!one.environments) shownOf = { name: "", change: 0 };
  if (!one.environments || (shownOf.name === one.name && shownOf.change === one.environments)) return;
  shownOf = { name: one.name, change: one.environments };
  try {
    const said = await ask("GET", `/api/agents/${one.name}/environments`);
    if (one.name !== current) return;
    const box = $("shown");
    const place = box.scrollTop;
    box.textContent = visible(said.text.replace(/^\n+|\n+$/g, ""));
    box.scrollTop = place;
  } catch {
    shownOf = { name: "", change: 0 }; // The next change asks again.
  }
}

// ---- the screen ---------------------------------------------------------------------------------

function openScreen() {
  const name = current;
  const { url, protocols } = sockets(`/api/agents/${name}/screen`, [`viewer.${viewer}`]);
  shownScreen = name;
  rfb = new RFB($("screen"), url, { wsProtocols: protocols, shared: true });
  rfb.viewOnly = true;
  rfb.scaleViewport = true;
  rfb.background = "transparent";
  const own = rfb;
  own.addEventListener("connect", () => { document.body.dataset.screen = name; show(); });
  own.addEventListener("disconnect", () => {
    if (rfb !== own) return;
    rfb = null;
    delete document.body.dataset.screen;
    setTimeout(() => { if (!rfb && current === name && !["stopped", "elsewhere"].includes(agent()?.state)) show(); }, 1000);
  });
}

function closeScreen() {
  const old = rfb;
  rfb = null;
  mine = false;
  delete document.body.dataset.screen;
  if (old) old.disconnect();
  $("screen").replaceChildren();
}

async function take() {
  const one = agent();
  if (mine) {
    await ask("POST", `/api/agents/${one.name}/give-back`, { viewer });
    mine = false;
  } else {
    await ask("POST", `/api/agents/${one.name}/take`, { viewer });
    agents = agents.map((each) => (each.name === one.name ? { ...each, state: "taken" } : each));
    mine = one.name === current;
    rfb?.focus();
  }
  show();
}

// ---- what can be done ---------------------------------------------------------------------------

function dialog(title, about, { value, yes = "OK", list } = {}) {
  $("title").textContent = title;
  $("about").textContent = about;
  $("value").hidden = value === undefined;
  $("value").value = value ?? "";
  $("list").hidden = !list;
  $("list").replaceChildren(...(list ?? []));
  $("yes").textContent = yes;
  $("yes").hidden = Boolean(list);
  $("dialog").returnValue = "no";
  $("dialog").showModal();
  return new Promise((resolve) => {
    $("dialog").onclose = () => resolve($("dialog").returnValue === "yes" ? $("value").value || true : null);
  });
}

$("create").onclick = async () => {
  const name = await dialog("New agent", "A name of letters, digits, _ and -. Leave it empty for the next number.", { value: "", yes: "Make it" });
  if (name === null) return;
  const made = await attempt(() => ask("POST", "/api/agents", { name: name === true ? "" : name }));
  if (made) choose(made.name);
};
$("rename").onclick = async () => {
  const name = await dialog(`Rename ${current}`, "Its folders are renamed, too.", { value: current, yes: "Rename" });
  if (typeof name === "string" && name !== current) {
    const renamed = await attempt(() => ask("POST", `/api/agents/${current}/rename`, { name }));
    if (renamed) choose(renamed.name);
  }
};
$("delete").onclick = async () => {
  const one = current;
  if (await dialog(`Delete ${one}?`, "Its home and all it remembers go into the trash, from where it can be brought back.", { yes: "Delete" })) {
    await attempt(() => ask("DELETE", `/api/agents/${one}`));
  }
};
$("bin").onclick = async () => {
  const places = (await attempt(() => ask("GET", "/api/trash"))) ?? [];
  const list = places.map((place) => {
    const item = document.createElement("li");
    item.append(place, button("Bring back", async () => { await ask("POST", `/api/trash/${place}/restore`); $("dialog").close(); }));
    return item;
  });
  await dialog("Trash", places.length ? "" : "It is empty.", { list });
};
$("run").onclick = () => {
  const one = agent();
  const act = ["stopped"].includes(one.state) ? "start" : "stop";
  $("run").disabled = true;
  attempt(() => ask("POST", `/api/agents/${one.name}/${act}`)).finally(() => { $("run").disabled = false; });
};
$("take").onclick = () => attempt(take);
$("previous").onclick = () => cycle(-1);
$("next").onclick = () => cycle(1);
$("say").onsubmit = (event) => {
  event.preventDefault();
  const text = $("words").value;
  if (!text.trim() || !current) return;
  attempt(async () => {
    await ask("POST", `/api/agents/${current}/say`, { text });
    $("words").value = "";
    grow();
  });
};
$("words").onkeydown = (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    $("say").requestSubmit();
  }
};
function grow() {
  $("words").rows = Math.min(6, $("words").value.split("\n").length);
}
$("words").oninput = grow;

$("environments").open = localStorage.getItem("environments") !== "folded";
$("environments").ontoggle = () => localStorage.setItem("environments", $("environments").open ? "unfolded" : "folded");

show();
listen();
