import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { bin } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  readonly bin: Readonly<Record<string, string>>;
};
/** The names of the package's programs. Registry packages with these names belong to other projects, or may in the future. */
const PROGRAM = `(?:${Object.keys(bin).join('|')})(?![-\\w])`;

/** Commands that make npm or another package manager fetch a package with the name of one of our programs. */
const DOWNLOADS = [
  // npx davit, npm exec davit, npx -y davit@1, npx $(davit …): without --no, npm downloads a program that is not installed.
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

/** The parts of a text that would make npm download a package that is not ours. */
export const downloadsOf = (text: string): readonly string[] =>
  DOWNLOADS.flatMap((pattern) => text.match(pattern) ?? []);
