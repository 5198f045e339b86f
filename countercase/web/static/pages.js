// Small helps; every page can be read without them.

// The tree: arrow keys walk, Home and End jump, Left closes a branch, Right opens it, Enter compares.
function tree() {
  const root = document.querySelector("[role=tree]");
  if (!root || root.dataset.ready) return;
  root.dataset.ready = "yes";
  const items = () => [...root.querySelectorAll("[role=treeitem]")];
  const shown = () => items().filter((item) => !item.hidden);
  const depth = (item) => Number(item.dataset.depth);
  const below = (item) => {
    const all = items();
    const from = all.indexOf(item) + 1;
    let to = from;
    while (to < all.length && depth(all[to]) > depth(item)) to += 1;
    return all.slice(from, to);
  };
  const go = (item) => {
    if (!item) return;
    items().forEach((other) => other.setAttribute("tabindex", "-1"));
    item.setAttribute("tabindex", "0");
    item.focus();
  };
  const unfold = (item, open) => {
    item.setAttribute("aria-expanded", String(open));
    const closed = [];
    below(item).forEach((child) => {
      while (closed.length && depth(child) <= closed[closed.length - 1]) closed.pop();
      child.hidden = !open || closed.length > 0;
      if (child.getAttribute("aria-expanded") === "false") closed.push(depth(child));
    });
  };
  const parent = (item) => {
    const all = items();
    for (let at = all.indexOf(item) - 1; at >= 0; at -= 1) {
      if (depth(all[at]) < depth(item)) return all[at];
    }
    return null;
  };
  // What is over is shown by its first level: all of it is some screens long.
  const job = document.querySelector("#job");
  const branches = items().filter((item) => depth(item) > 0 && item.hasAttribute("aria-expanded"));
  if (branches.length && job && !["queued", "running"].includes(job.dataset.status)) {
    branches.forEach((item) => unfold(item, false));
    const all = document.createElement("button");
    all.type = "button";
    all.textContent = "Open all branches";
    all.addEventListener("click", () => {
      const open = all.textContent.startsWith("Open");
      branches.forEach((item) => unfold(item, open));
      all.textContent = `${open ? "Close" : "Open"} all branches`;
    });
    root.before(all);
  }
  root.addEventListener("keydown", (event) => {
    const item = event.target.closest("[role=treeitem]");
    if (!item) return;
    const list = shown();
    const at = list.indexOf(item);
    const open = item.getAttribute("aria-expanded");
    if (event.key === "ArrowDown") go(list[at + 1]);
    else if (event.key === "ArrowUp") go(list[at - 1]);
    else if (event.key === "Home") go(list[0]);
    else if (event.key === "End") go(list[list.length - 1]);
    else if (event.key === "ArrowRight" && open === "false") unfold(item, true);
    else if (event.key === "ArrowRight" && open === "true") go(list[at + 1]);
    else if (event.key === "ArrowLeft" && open === "true") unfold(item, false);
    else if (event.key === "ArrowLeft") go(parent(item));
    else if (event.key === "Enter" && item.dataset.href) location.assign(item.dataset.href);
    else return;
    event.preventDefault();
  });
  root.addEventListener("click", (event) => {
    const item = event.target.closest("[role=treeitem]");
    if (!item) return;
    if (item.dataset.href && event.target.closest(".what")) {
      location.assign(item.dataset.href);
      return;
    }
    if (item.hasAttribute("aria-expanded")) unfold(item, item.getAttribute("aria-expanded") === "false");
    go(item);
  });
}

// The parts of a page that may change are put anew from a fresh copy of it, each only where the
// server says something else; what is open or closed stays so, and the focus stays where it was.
const told = new WeakMap();
const parts = () => document.querySelectorAll("[data-live]");
const words = (element) => element.id || element.getAttribute("href") || element.value || element.textContent;
// What is in a part, by what it says and as the how-maniest that says so: ids of facts may be others
// in the fresh copy, and ten passages are opened by the same words.
function named(part, selector, say = words) {
  const said = [];
  return [...part.querySelectorAll(selector)].map((element) => {
    said.push(say(element));
    return [`${say(element)} ${said.filter((it) => it === say(element)).length}`, element];
  });
}
const openerOf = (form) => form.parentElement.querySelector(":scope > summary")?.textContent || "";
const isTyped = (field) => (field.tagName === "SELECT"
  ? [...field.options].some((it) => it.selected !== it.defaultSelected)
  : field.type !== "hidden" && field.value !== field.defaultValue);
// What is typed and not yet sent stays too, but for the form that was `sent`.
function put(fresh, sent) {
  parts().forEach((part) => {
    const now = fresh.getElementById(part.id);
    if (!now || told.get(part) === now.innerHTML) return;
    told.set(part, now.innerHTML);
    const focus = part.contains(document.activeElement) && document.activeElement;
    const [focused] = (focus && named(part, focus.tagName).find(([, it]) => it === focus)) || [];
    const open = new Map(named(part, "details > summary").map(([name, it]) => [name, it.parentElement.open]));
    const typed = new Map(named(part, "form", openerOf).filter(([, form]) => form !== sent).map(([name, form]) => (
      [name, [...form.elements].filter((it) => it.name && isTyped(it))]
    )));
    part.replaceChildren(...now.childNodes);
    named(part, "details > summary").filter(([name]) => open.has(name)).forEach(([name, it]) => {
      it.parentElement.open = open.get(name);
    });
    named(part, "form", openerOf).forEach(([name, form]) => (typed.get(name) || []).forEach((field) => {
      const same = form.elements[field.name];
      if (same) same.value = field.value;
    }));
    if (focus) {
      const [, same] = named(part, focus.tagName).find(([name]) => name === focused) || [];
      (same || document.querySelector("#main")).focus({ preventScroll: true });
    }
  });
  tree();
}
async function load(address, options) {
  const read = (text) => new DOMParser().parseFromString(text, "text/html");
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" }, ...options });
    return { answer, page: read(await answer.text()) };
  } catch { // the server is not reached
    return { answer: Response.error(), page: read("") };
  }
}

// A running analysis: the list as soon as it is there, then what is measured, as it comes.
function live() {
  const job = document.querySelector("#job");
  if (!job || !["queued", "running"].includes(job.dataset.status)) return;
  const source = new EventSource(`/analyses/${job.dataset.job}/events`);
  const PAUSE = 1500; // milliseconds between two copies; a screen reader is not to be talked over
  let last = 0;
  let waiting = 0;
  const refresh = async () => {
    waiting = 0;
    last = Date.now();
    put((await load(location.href)).page);
  };
  const soon = () => {
    const listed = document.querySelector(".precedents, #tree [aria-level='2']");
    waiting ||= setTimeout(refresh, listed ? Math.max(0, last + PAUSE - Date.now()) : 0);
  };
  source.addEventListener("progress", soon);
  source.addEventListener("tree", soon);
  source.addEventListener("over", () => {
    source.close();
    clearTimeout(waiting);
    refresh();
  });
}

// A reading is corrected in its place: the form of a fact opens beside what was clicked, and is
// sent without loading the page again. Where it is refused, it stays as it was typed.
function corrections() {
  const box = document.createElement("div");
  box.id = "correct";
  box.popover = "auto";
  box.setAttribute("role", "dialog");
  box.setAttribute("aria-label", "Correct a reading");
  document.body.append(box);
  let from = null;
  let home = null; // where the form stood
  box.addEventListener("toggle", (event) => {
    if (event.newState === "open") return;
    if (home && home.isConnected) home.append(...box.querySelectorAll("form"));
    box.replaceChildren();
    if (from && from.isConnected) from.focus({ preventScroll: true });
  });
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a.correct");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const here = link.pathname === location.pathname;
    const page = here ? document : (await load(link.href)).page;
    const row = page.getElementById(decodeURIComponent(link.hash.slice(1)));
    const form = row && row.querySelector("form");
    if (!form) {
      location.assign(link.href);
      return;
    }
    box.hidePopover();
    home = here ? form.parentElement : null;
    from = link;
    const heading = document.createElement("p");
    heading.append(row.querySelector("summary mark").cloneNode(true));
    const leave = document.createElement("button");
    leave.type = "button";
    leave.className = "link leave";
    leave.textContent = "Leave as it is";
    leave.addEventListener("click", () => box.hidePopover());
    heading.append(" ", leave);
    box.replaceChildren(heading, form);
    box.showPopover();
    const at = link.getBoundingClientRect();
    const room = document.documentElement.clientWidth - box.offsetWidth - 8;
    box.style.left = `${Math.max(8, Math.min(at.left, room)) + window.scrollX}px`;
    const below = at.bottom + 6 + box.offsetHeight < window.innerHeight;
    box.style.top = `${Math.max(8, below ? at.bottom + 6 : at.top - box.offsetHeight - 6) + window.scrollY}px`;
    form.querySelector("input:not([type=hidden]), select, button").focus();
  });
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-inplace]");
    if (!form) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, event.submitter));
    const { answer, page } = await load(form.getAttribute("action"), { method: "POST", body });
    if (answer.ok) {
      const inside = box.contains(form);
      put(page, form);
      if (!inside) return;
      home = null;
      box.hidePopover();
      if (!from.isConnected) {
        const same = [...document.querySelectorAll("a.correct")].find((it) => it.href === from.href);
        (same || document.querySelector("#undo") || document.querySelector("#main")).focus({ preventScroll: true });
      }
      return;
    }
    const problem = page.querySelector("#problem");
    const told = form.querySelector("[role=alert]") || document.createElement("p");
    told.className = "note error";
    told.setAttribute("role", "alert");
    form.prepend(told);
    told.textContent = problem ? problem.textContent : "This could not be saved. Try again.";
  });
}

// Of one fact one thing is supposed: a chip takes back the others, and the figure that was moved.
function chips() {
  const form = document.querySelector("#suppose-form");
  if (!form) return;
  const others = (fact, but) => form.querySelectorAll(`input[data-fact="${CSS.escape(fact)}"]`).forEach((chip) => {
    if (chip !== but) chip.checked = false;
  });
  form.addEventListener("input", (event) => {
    const chip = event.target;
    if (chip.type !== "checkbox" || !chip.checked) return;
    others(chip.dataset.fact, chip);
    const slider = form.querySelector(`.slider[data-fact="${CSS.escape(chip.dataset.fact)}"]`);
    if (slider) slider.querySelectorAll("input").forEach((field) => {
      field.value = field.type === "hidden" ? "" : slider.dataset.value;
    });
  });
  // Sliders: the range, the number and the field that is sent say the same.
  form.querySelectorAll(".slider").forEach((slider) => {
    const [range, number, sent] = slider.querySelectorAll("input");
    number.removeAttribute("name"); // which says it where no script does
    const put = (value, from) => {
      if (from !== range && !Number.isNaN(Number(value))) range.value = value;
      if (from !== number) number.value = value;
      const moved = Number(value) !== Number(slider.dataset.value) && value !== "";
      sent.value = moved ? `${slider.dataset.fact}=${value}` : "";
      if (moved) others(slider.dataset.fact, null);
    };
    range.addEventListener("input", () => put(range.value, range));
    number.addEventListener("input", () => put(number.value.replaceAll(",", ""), number));
  });
}

// What is shown for the side that one acts for follows the choice, in its place.
function sides() {
  document.addEventListener("change", async (event) => {
    const form = event.target.closest("form.side");
    if (!form) return;
    const address = `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`;
    const { answer, page } = await load(address);
    if (!answer.ok) {
      form.submit();
      return;
    }
    history.replaceState(null, "", address);
    put(page);
  });
}

// A citation is copied by its button, which says so.
function copies() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    } catch {
      button.replaceWith(button.dataset.copy);
    }
  });
}

// A file may be dropped; a form that takes long says so and is sent once.
function forms() {
  const drop = document.querySelector("#drop");
  const file = document.querySelector("#file");
  if (drop && file) {
    const page = document.documentElement;
    page.addEventListener("dragover", (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
    page.addEventListener("dragleave", () => drop.classList.remove("over"));
    page.addEventListener("drop", (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      if (event.dataTransfer.files.length) {
        file.files = event.dataTransfer.files;
        file.dispatchEvent(new Event("change"));
      }
    });
  }
  if (file) {
    file.addEventListener("change", () => {
      const hint = document.querySelector("#drop-hint");
      hint.dataset.said ||= hint.textContent;
      const [given] = file.files;
      hint.textContent = given ? `${given.name} is ready to be read, after what is written above.` : hint.dataset.said;
    });
  }
  const rating = document.querySelector("#rate-form");
  if (rating) rating.addEventListener("submit", (event) => {
    if ([...new FormData(rating)].some(([name, value]) => name !== "rater" && value.trim())) return;
    event.preventDefault();
    rating.querySelector(".status").textContent = "Choose a score or write a note first.";
  });
  // What is wrong with a field can be said only where the field is shown.
  document.addEventListener("invalid", (event) => {
    const closed = event.target.closest("details:not([open])");
    if (closed) closed.open = true;
  }, true);
  document.querySelectorAll("form[data-busy]").forEach((form) => {
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = "yes";
      form.querySelector("[role=status]").textContent = form.dataset.busy;
    });
  });
  window.addEventListener("pageshow", () => {
    document.querySelectorAll("form[data-busy]").forEach((form) => {
      delete form.dataset.sent;
      form.querySelector("[role=status]").textContent = "";
    });
  });
}

parts().forEach((part) => told.set(part, part.innerHTML));
tree();
live();
corrections();
chips();
sides();
copies();
forms();
document.body.addEventListener("htmx:afterSwap", tree);

// Below the chips, and far below them on a phone, stands what they do: a line says it at once.
function jump() {
  const line = document.querySelector("#jump");
  if (!line) return;
  const said = document.querySelector("#suppose-result [role=alert], #suppose-result:not(.outdated) #move");
  line.hidden = !said;
  line.firstElementChild.textContent = said ? `${said.textContent.trim()} See below` : "";
}
jump();
document.body.addEventListener("htmx:afterSwap", (event) => {
  event.detail.target.classList.remove("outdated");
  jump();
});
// No earlier answer stands as if it were the answer, while another is asked and where none comes.
function outdate(target, role, text) {
  const told = target.querySelector(":scope > .unanswered") || document.createElement("p");
  told.className = role === "alert" ? "note error unanswered" : "note unanswered";
  told.setAttribute("role", role);
  told.textContent = text;
  target.classList.add("outdated");
  target.prepend(told);
  jump();
}
function failed(event) {
  const { target, xhr } = event.detail;
  outdate(target, "alert", `${xhr.status === 503 ? "The server is busy with an analysis" : "The server did not answer"}: `
    + "what stands here was asked for before. What you wrote and chose is kept; ask again in a moment. ");
}
document.body.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.target.id === "suppose-result") outdate(detail.target, "status", "Asking …");
});
["htmx:responseError", "htmx:sendError", "htmx:timeout"].forEach((name) => document.body.addEventListener(name, failed));
// What is left as it is need not stand in the address.
document.body.addEventListener("htmx:configRequest", (event) => {
  const data = event.detail.formData;
  const kept = [...data.entries()].filter(([, value]) => value !== "");
  [...new Set(data.keys())].forEach((name) => data.delete(name));
  kept.forEach(([name, value]) => data.append(name, value));
});
// The whole page comes again where the back button leads to an earlier what-if.
document.body.addEventListener("htmx:historyCacheMiss", (event) => {
  event.preventDefault();
  location.reload();
});
// Who goes back twice at once may get the answer to the first address at the second.
const asked = document.querySelector("[data-asked]");
if (asked && asked.dataset.asked !== location.search.slice(1)) location.reload();
