// The project of sessions that note what is reached in contracts: it is on no disk.

export const folder = "/chainscope";
const files = {
  [`${folder}/settings/Devnet.toml`]: `[network]\nname = "devnet"\n[accounts.deployer]\nmnemonic = "style dust emerge before artwork medal beach open wrist sugar nasty want"\nbalance = 0\n`,
};

// names are those of contracts. The SDK tells what was reached only of contracts with a name that
// stands in its project: one of that name is deployed there by somebody who deploys nothing else,
// with nothing in it.
const names = new Set();

let remote = ""; // the part of the project that names a live chain

// goOn lets the project go on from a live chain, with the SDK's own settings for that.
export function goOn(settings) {
  remote = `[repl.remote_data]\n${Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`).join("")}`;
  write();
}

// add adds a name, and reports whether it was missing.
export function add(name) {
  const missing = !names.has(name);
  names.add(name);
  if (missing) write();
  return missing;
}

// count is how many names there are; none is ever taken away.
export const count = () => names.size;

function write() {
  const contract = (name) => {
    files[`${folder}/${name}.clar`] = "(define-constant nothing u0)";
    return `[contracts.${name}]\npath = "${name}.clar"\nclarity_version = 3\nepoch = "3.0"\n`;
  };
  files[`${folder}/Clarinet.toml`] = `[project]\nname = "chainscope"\nauthors = []\ndescription = ""\ntelemetry = false\nrequirements = []\n[contracts]\n${[...names].map(contract).join("")}[repl.analysis]\npasses = []\n${remote}`;
}
write();

export async function noDisk(action, { path, paths }) {
  switch (action) {
    case "vfs/exists":
      return path in files;
    case "vfs/readFile":
      if (!(path in files)) throw new Error(`there is no ${path}`);
      return files[path];
    case "vfs/readFiles":
      return Object.fromEntries(paths.filter((p) => p in files).map((p) => [p, files[p]]));
    default:
      return undefined; // nothing is written
  }
}

// What was reached, for each contract: the lines of an lcov file without their counts, and
// whether it was. What is done again counts as once.
const reached = new Map();

// note adds an lcov file of the SDK to what was reached.
export function note(lcov) {
  let of = new Map();
  for (const line of lcov.split("\n")) {
    const [kind, rest = ""] = line.split(/:(.*)/s);
    const parts = rest.split(",");
    if (kind === "SF") {
      const name = rest.slice(rest.lastIndexOf("/") + 1, -".clar".length);
      if (!reached.has(name)) reached.set(name, new Map());
      of = reached.get(name);
    } else if (kind === "FN") {
      of.set(`FN:${rest}`, true);
    } else if (kind === "FNDA") {
      of.set(`FNDA:${parts[1]}`, parts[0] !== "0" || of.get(`FNDA:${parts[1]}`) === true);
    } else if (kind === "DA" || kind === "BRDA") {
      const count = parts.pop();
      const what = `${kind}:${parts.join(",")}`;
      of.set(what, (count !== "0" && count !== "-") || of.get(what) === true);
    }
  }
}

// lcov is what was reached as an lcov file, in which SF has the name of a contract.
export function lcov() {
  const counted = ([what, hit]) => {
    const [kind, rest] = what.split(/:(.*)/s);
    if (kind === "FN") return what;
    return kind === "FNDA" ? `FNDA:${hit ? 1 : 0},${rest}` : `${what},${hit ? 1 : 0}`;
  };
  return [...reached].map(([name, lines]) => `SF:${name}\n${[...lines].map(counted).join("\n")}\nend_of_record\n`).join("");
}
