import { PACKAGE_NAME } from '#lib/machinery/package-name.ts';

/** A file's text, and the same text for the new version. */
export type Edit = (text: string, release: Release) => string;

/** A release: `version` without a `v`, `previous` the preceding version, `date` as `2026-11-23`. */
export interface Release {
  readonly version: string;
  readonly previous: string;
  readonly date: string;
}

const SEMVER = /^\d+\.\d+\.\d+$/;

/**
 * The release of `version`. Throws RangeError unless it has three numbers and is higher than `previous`. The first release may equal it.
 */
export function releaseOf(version: string, previous: string, unreleased: boolean, date: string): Release {
  if (!SEMVER.test(version)) throw new RangeError(`${version} is not MAJOR.MINOR.PATCH`);
  const order = compare(version, previous);
  if (order < 0 || (order === 0 && !unreleased)) throw new RangeError(`${version} is not above ${previous}`);
  return { version, previous, date };
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const index = left?.findIndex((part, at) => part !== right?.[at]) ?? -1;
  return index === -1 ? 0 : (left?.[index] ?? 0) - (right?.[index] ?? 0);
}

/** Replaces `from` in the text. Throws RangeError if the text does not contain it. */
function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new RangeError(`found no ${from}`);
  return text.replaceAll(from, to);
}

const NAME = `"name": "${PACKAGE_NAME}"`;
const LOCKED = new RegExp(`(${NAME},\\s+)"version": "[^"]+"`, 'g');
/** The tarball that `npm pack` creates, as named in a document. */
const packed: Edit = (text, { version, previous }) => replaced(text, `davit-${previous}.tgz`, `davit-${version}.tgz`);

/** The text changes by file. The CHANGELOG gets an empty section for the next release. */
export const EDITS: Readonly<Record<string, Edit>> = {
  'package.json': (text, { version, previous }) =>
    replaced(text, `${NAME},\n  "version": "${previous}"`, `${NAME},\n  "version": "${version}"`),
  // The lockfile contains the version twice: at the top and for the root package.
  'package-lock.json': (text, { version, previous }) =>
    text.replaceAll(LOCKED, (match, name: string) =>
      match.includes(`"${previous}"`) ? `${name}"version": "${version}"` : match,
    ),
  'lib/server/endpoints/version.ts': (text, { version, previous }) =>
    replaced(text, `DAVIT_VERSION = '${previous}'`, `DAVIT_VERSION = '${version}'`),
  'README.md': packed,
  'docs/invocations.md': packed,
  'docs/nodes.md': packed,
  'docs/tutorial.md': packed,
  'CHANGELOG.md': (text, { version, date }) =>
    text.replace(/^## .*\(unreleased\)$/m, `## Next (unreleased)\n\n## ${version} (${date})`),
};
