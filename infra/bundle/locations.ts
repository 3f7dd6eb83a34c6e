/** The entry of every bundle. */
const ENTRY = 'index.js';

/** A reference to a file in the same folder, as the bundler prints it. */
const MENTION = /"\.\/([^"/]+\.js)"/g;
/** The name of a CommonJS module, as the bundler prints it: `{"../node_modules/a/b.js"(exports) {…}}`. */
const METHOD = /\{"([^"\\]+)"\(/g;

/**
 * Makes the modules of a bundle (code by name) independent of the location of sources and dependencies. The bundler writes the paths of
 * CommonJS modules into the code, and names chunks by hashes of paths. Here, each path starts at its package, and chunks are numbered in
 * the order in which the code refers to them. Omits modules that no code refers to. `inputs` are the paths of all modules in the bundler's
 * format.
 */
export function withoutLocations(
  files: ReadonlyMap<string, string>,
  inputs: readonly string[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>([[ENTRY, ENTRY]]);
  for (const name of names.keys())
    for (const [, other = ''] of (files.get(name) ?? '').matchAll(MENTION))
      if (files.has(other) && !names.has(other)) names.set(other, `chunk-${names.size}.js`);
  const outside = new Set(inputs.filter((path) => path.startsWith('..')));
  return new Map([...names].map(([name, to]) => [to, renamed(shortened(files.get(name) ?? '', outside), names)]));
}

const renamed = (code: string, names: ReadonlyMap<string, string>): string =>
  code.replaceAll(MENTION, (mention, name: string) => (names.has(name) ? `"./${names.get(name)}"` : mention));

/** Shortens the paths of modules outside the working directory. */
const shortened = (code: string, outside: ReadonlySet<string>): string =>
  code.replaceAll(METHOD, (method, path: string) => (outside.has(path) ? `{"${fromPackage(path)}"(` : method));

const fromPackage = (path: string): string =>
  path.includes('node_modules/') ? path.replace(/^.*?(?=node_modules\/)/, '') : path.replace(/^.*\//, '');
