import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { bin } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  readonly bin: Readonly<Record<string, string>>;
};
/** The programs of the package: the registry's packages of these names are other projects', or may become so. */
const PROGRAM = `(?:${Object.keys(bin).join('|')})(?![-\\w])`;

/** Texts that have npm, or another package manager, fetch the package that has the name of one of our programs. */
const DOWNLOADS = [
  // npx davit, npm exec davit, npx -y davit@1, npx $(davit …): without --no, a program that is not installed is downloaded.
  new RegExp(
    `\\b(?:npx|npm (?:exec|x)|pnpx|pnpm dlx|yarn dlx|bunx)(?!(?:\\s+-\\S+)*\\s+--no(?:-install)?\\s)(?:\\s+-\\S*)*\\s+(?:${PROGRAM}|\\$\\()[^\\n]*`,
    'g',
  ),
  // npm install davit, npm install --global davit@latest, npm create davit
  new RegExp(
    `\\b(?:npm|pnpm|yarn|bun)\\s+(?:i|in|install|add|ci|init|create|update|link)\\s+(?:(?!&&)[^\\n\`'"|;#,]*\\s)?${PROGRAM}(?![./][\\w.])[^\\n]*`,
    'g',
  ),
  // "davit": "^1.0.0" among the dependencies of a package.json
  new RegExp(`["']${PROGRAM}["']\\s*:\\s*["'](?:[~^<>=*]|\\d|latest|npm:)[^\\n]*`, 'g'),
  // import … from 'davit/api'
  new RegExp(`(?:\\bfrom|\\bimport|\\bimport\\(|\\brequire\\()\\s*["'\`]${PROGRAM}(?:/[^"'\`]*)?["'\`]`, 'g'),
];

/** The places of a text that would have npm download a package that is not ours. */
export const downloadsOf = (text: string): readonly string[] =>
  DOWNLOADS.flatMap((pattern) => text.match(pattern) ?? []);
