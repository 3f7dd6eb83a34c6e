import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GIT_VERSION } from '#lib/server/endpoints/version.ts';
import { davitCommand } from './command.ts';
import { davit, wholeCommand } from './davit.ts';
import { MOST_USED } from './flags/help.ts';

const folder = mkdtempSync(join(tmpdir(), 'davit-words-'));
const [bad, lines, gates] = [join(folder, 'bad.yaml'), join(folder, 'lines'), join(folder, 'gates.yaml')];
const [alias, empty] = [join(folder, 'alias.yaml'), join(folder, 'empty.yaml')];
beforeAll(() => {
  writeFileSync(bad, 'a: 1\nb: [c\n');
  writeFileSync(alias, 'a: *b\n');
  writeFileSync(empty, 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\n');
  writeFileSync(gates, 'apiVersion: davit.dev/v1\nkind: Config\nfeatureGates: [Nope=true]\n');
  writeFileSync(lines, '{"davit":"export","format":1}\n{}\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [['sart'], 'there is no command sart; the nearest is start'],
  [['tokn', '--region', 'x'], 'there is no command tokn; the nearest is token'],
  [['--porrt', '1'], 'unknown flag --porrt; the nearest is --port'],
  [['--simulated', '1'], 'unknown flag --simulated; the nearest is --simulated-nodes'],
  [['get', 'pods'], 'there is no command get; --help lists the commands'],
  [['--bogus'], 'unknown flag --bogus; --help-all prints every flag'],
  [['-x'], 'unknown flag -x; --help-all prints every flag'],
  [['trace', 'deployment/web'], 'there is no command trace; the nearest is kubectl davit trace'],
  [['types', bad], `${bad} is neither YAML nor JSON, by its line 3: `],
  [['types', alias], `${alias} is no manifest: Unresolved alias`],
  [['types', empty], `${empty}: CustomResourceDefinition a has no spec.names.kind, or serves no version`],
  [['manifests', bad], `${bad} is no file of TypeScript or JavaScript`],
  [['restore'], 'name the copy that you put back: --data-dir PATH or --table NAME'],
  [['import', lines, '--data-dir', join(folder, 'data')], `${lines}: line 2: a line is none of an export`],
])('rejects the arguments %j', async (args, why) => {
  await expect(davit(args)).rejects.toThrow(why);
});

test.each([
  [['--feature-gates', 'Nope=true'], '--feature-gates: unrecognized feature gate: Nope'],
  [['--feature-gates', 'AllAlpha=true'], 'cannot set feature gate AllAlpha to true, feature is locked to false'],
  [['--config', gates], '--feature-gates: unrecognized feature gate: Nope'],
  [['--controllers', 'nope'], '--controllers: '],
  [['--allocate-node-cidrs'], '--cluster-cidr: it has to be given with --allocate-node-cidrs'],
  [['--max-requests-inflight', '0', '--max-mutating-requests-inflight', '0'], 'nothing would be served'],
])('--print-config rejects %j, as a start does', async (args, why) => {
  await expect(davit(['--print-config', ...args])).rejects.toThrow(why);
});

describe('the help of davit', () => {
  /** Standard output of the command, which exits with `code`. */
  async function printed(...args: readonly string[]): Promise<string> {
    const command = wholeCommand();
    let text = '';
    for (const one of withAllBelow(command)) one.exitOverride().configureOutput({ writeOut: (part) => (text += part) });
    await expect(command.parseAsync(args, { from: 'user' })).rejects.toMatchObject({ exitCode: 0 });
    return text;
  }
  const withAllBelow = (command: Command): Command[] => [command, ...command.commands.flatMap(withAllBelow)];
  const flagsIn = (text: string): string[] =>
    [...text.matchAll(/^ {2}(?:-\w, )?(--[a-z0-9-]+)/gm)].map(([, flag = '']) => flag);

  test('begins with the commands, then lists the most used flags', async () => {
    const text = await printed('--help');
    expect(text.indexOf('\nCommands:')).toBeLessThan(text.indexOf('\nMost used flags:'));
    for (const { name } of wholeCommand().commands.map((one) => ({ name: one.name() })))
      expect(text).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    expect(flagsIn(text)).toEqual([...MOST_USED, '--help', '--help-all', '--version']);
  });

  test.each(['check', 'export', 'import', 'restore', 'redrive', 'replay', 'status', 'stop'])(
    'lists the flag of the data directory for %s',
    async (name) => {
      expect(flagsIn(await printed(name, '--help'))).toContain('--data-dir');
    },
  );

  test("prints the version with --version in kube-apiserver's format", async () => {
    expect(await printed('--version')).toBe(`Kubernetes ${GIT_VERSION}\n`);
  });

  test('lists only the most used flags for start, and no commands', async () => {
    const text = await printed('start', '--help');
    expect(text).toMatch(/^Usage: davit start \[flags\]\n/);
    expect(flagsIn(text)).toEqual([...MOST_USED, '--help', '--help-all', '--version']);
    expect(text).not.toContain('Commands:');
  });

  const pathOf = (command: Command): string[] =>
    command.parent === null ? [] : [...pathOf(command.parent), command.name()];

  test.each(withAllBelow(wholeCommand()).map(pathOf))('lists the flags of davit %s %s', async (...path) => {
    const words = path.filter((word) => typeof word === 'string');
    expect(await printed(...words, '--help')).toMatch(new RegExp(`^Usage: ${['davit', ...words].join(' ')} `));
  });

  test('lists every server flag that README.md names', () => {
    const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
    const named = wholeCommand().options.filter(({ long, short }) =>
      [long, short].some((flag) => flag != null && new RegExp(`[\\s\`]${flag}\\b(?!-)`).test(readme)),
    );
    const known = [...MOST_USED, '--help-all', '--version'];
    expect(named.map(({ long }) => long)).toContain('--simulated-nodes');
    expect(named.filter(({ long }) => !known.includes(long ?? '')).map(({ long }) => long)).toEqual([]);
  });

  test.each([[['--help-all']], [['start', '--help-all']]])('lists every flag of %j under a heading', async (args) => {
    const text = await printed(...args);
    const known = davitCommand().options.map(({ long }) => long ?? '');
    expect(flagsIn(text).toSorted()).toEqual([...known, '--help'].toSorted());
    expect(text).toMatch(
      /\nServer:\n {2}--host [^]*\nAuthentication:\n {2}--oidc-issuer-url [^]*\nScheduler:\n {2}--scheduler /,
    );
  });
});
