"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const run = JSON.parse(by("run").textContent);
  const moments = run.moments, offsets = run.offsets, last = moments.length - 1;
  const slider = by("slider"), play = by("play"), picture = by("picture");
  let shown = -1, shownPicture = -2, speed = 1, playing = false, at = 0, before = 0;

  const say = (id, text) => { by(id).textContent = text || ""; };
  const clock = (seconds) => {
    const whole = Math.round(seconds), rest = String(whole % 60).padStart(2, "0");
    const minutes = Math.floor(whole / 60) % 60, hours = Math.floor(whole / 3600);
    return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
  };
  const listed = (id, rows) => {
    by(id).replaceChildren(...rows.map(([name, ...parts]) => {
      const line = document.createElement("li");
      if (name) line.className = name;
      line.append(...parts);
      return line;
    }));
  };
  const bold = (text) => { const part = document.createElement("b"); part.textContent = text; return part; };

  const shape = (name, values, edge) => {
    const part = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in values) part.setAttribute(key, values[key]);
    part.setAttribute("class", edge ? "edge" : name === "circle" ? "ring" : "way");
    return part;
  };
  const mark = () => {
    const box = by("marks"), moment = moments[shown] || {}, parts = [];
    const wide = picture.clientWidth, high = picture.clientHeight;
    const scale = picture.naturalWidth ? Math.min(wide / picture.naturalWidth, high / picture.naturalHeight) : 0;
    const left = (wide - picture.naturalWidth * scale) / 2, top = (high - picture.naturalHeight * scale) / 2;
    const place = (p) => [left + p[0] * picture.naturalWidth * scale, top + p[1] * picture.naturalHeight * scale];
    if (moment.at && scale && !picture.hidden) {
      const [x, y] = place(moment.at);
      for (const edge of [true, false]) {
        parts.push(shape("circle", { cx: x, cy: y, r: 16 }, edge));
        if (moment.to) {
          const [u, v] = place(moment.to);
          parts.push(shape("line", { x1: x, y1: y, x2: u, y2: v }, edge));
          parts.push(shape("circle", { cx: u, cy: v, r: 7 }, edge));
        }
      }
    }
    box.replaceChildren(...parts);
  };

  const look = (number) => {
    const moment = moments[number];
    if (number === shown || !moment) return;
    shown = number;
    say("head", moment.head); say("words", moment.words); say("exact", moment.exact); say("output", moment.output);
    say("detail", moment.kind === "goal" ? "" : moment.detail); say("cost", moment.cost);
    listed("receipts", (moment.receipts || []).map(([verdict, word, detail]) => [verdict, bold(word), detail]));
    const plan = run.plans[moment.plan] || [];
    const over = moment.kind === "done" ? plan.length : moment.step;
    by("plan-card").hidden = !plan.length;
    listed("plan", plan.map((step, i) => [i < over ? "past" : i === over ? "now" : "", step]));
    if (moment.picture !== shownPicture) {
      shownPicture = moment.picture;
      const kept = by(`picture-${moment.picture}`);
      picture.hidden = !kept; by("nothing").hidden = !!kept;
      if (kept) picture.src = `data:${kept.textContent}`; else picture.removeAttribute("src");
    }
    picture.alt = moment.words || "";
    mark();
  };
  const show = (seconds) => {
    at = Math.min(Math.max(0, seconds), offsets[last] || 0);
    let number = 0;
    for (let low = 0, high = last; low <= high;) {
      const middle = (low + high) >> 1;
      if (offsets[middle] <= at + 1e-6) { number = middle; low = middle + 1; } else high = middle - 1;
    }
    look(number);
    slider.value = Math.round(at * 1000);
    slider.setAttribute("aria-valuetext", `${number + 1} / ${last + 1}`);
    say("clock", `${number + 1} / ${last + 1} · ${clock((moments[number] || { since: 0 }).since)}`);
  };
  const step = (by) => { set(false); show(offsets[Math.min(last, Math.max(0, shown + by))]); };
  const set = (on) => {
    if (on && at >= (offsets[last] || 0)) at = 0;
    playing = on && last > 0;
    play.textContent = playing ? run.words.pause : run.words.play;
    if (playing) { before = performance.now(); requestAnimationFrame(tick); }
  };
  const tick = (now) => {
    if (!playing) return;
    show(at + (now - before) / 1000 * speed);
    before = now;
    if (at >= offsets[last]) set(false); else requestAnimationFrame(tick);
  };

  say("goal", run.goal); say("facts", run.facts.filter(Boolean).join(" · "));
  listed("trouble", run.trouble.map((words) => ["", words])); by("trouble").hidden = !run.trouble.length;
  say("nothing", run.words.nothing); say("plan-head", run.words.plan);
  slider.max = Math.round((offsets[last] || 0) * 1000);
  slider.addEventListener("input", () => { set(false); show(slider.value / 1000); });
  play.addEventListener("click", () => set(!playing));
  for (const button of document.querySelectorAll("#speeds button")) {
    button.addEventListener("click", () => {
      speed = Number(button.dataset.speed);
      for (const each of document.querySelectorAll("#speeds button")) each.setAttribute("aria-pressed", each === button);
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const acts = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-last - 1), End: () => step(last + 1) };
    const act = acts[event.key] || (event.key === " " && event.target.tagName !== "BUTTON" ? () => set(!playing) : null);
    if (act) { event.preventDefault(); act(); }
  });
  picture.addEventListener("load", mark);
  addEventListener("resize", mark);
  set(false); show(0);
})();
