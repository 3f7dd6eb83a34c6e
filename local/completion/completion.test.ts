import { execFileSync, spawnSync } from 'node:child_process';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { skipUnless } from '#test/support/skip.ts';
import { wholeCommand } from '../davit.ts';
import { bashScript } from './bash.ts';
import { completedCommands } from './completed-commands.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

const all = completedCommands(wholeCommand());

/** The completions of the last word in bash, which splits `--flag=value` at the equals sign. */
function inBash(line: string): string[] {
  const words = line.split(/(=)|[ ]/).filter((word) => word !== undefined);
  const complete = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _davit; printf '%s\n' "\${COMPREPLY[@]}"`;
  const printed = execFileSync('bash', ['-c', `${bashScript(all)}\n${complete}`, 'bash', ...words], {
    encoding: 'utf8',
  });
  return printed.split('\n').filter((word) => word !== '');
}

test.each([
  ['davit sta', ['start', 'status']],
  ['davit --simul', ['--simulated-nodes']],
  ['davit start --in', ['--in-memory']],
  ['davit start --sync ', ['full', 'normal', 'off']],
  ['davit --sync=n', ['normal']],
  ['davit --port 1 sto', ['stop']],
  ['davit --data-dir stop st', ['start', 'status', 'stop']],
  ['davit node ', ['add']],
  ['davit node add --ec', ['--ec2']],
  ['davit stop --d', ['--data-dir']],
  ['davit completion ', ['bash', 'fish', 'zsh']],
  ['davit export --table t --kms', ['--kms-key']],
])('bash completes "%s" with %j', (line, words) => {
  expect(
    inBash(line)
      .filter((word) => !word.startsWith('-') || line.includes('--'))
      .toSorted(),
  ).toEqual(words);
});

test('bash completes file names itself', () => {
  expect(inBash('davit --config ')).toEqual([]);
  expect(inBash('davit export all.j')).toEqual([]);
});

/** The paths of a command and of all its subcommands. */
const pathsOf = (command: Command, path: readonly string[] = []): string[] =>
  [command, ...command.commands].flatMap((one) =>
    one === command ? path.join(' ') : pathsOf(one, [...path, one.name()]),
  );

test('knows every command, and all flags of the server for davit and for start', () => {
  const command = wholeCommand();
  expect(all.map(({ path }) => path).toSorted()).toEqual(pathsOf(command).toSorted());
  const flags = command.options.flatMap(({ long, hidden }) => (hidden ? [] : (long ?? [])));
  for (const name of ['', 'start']) {
    const known = all.find(({ path }) => path === name)?.flags.flatMap(({ names }) => names);
    expect(known).toEqual(expect.arrayContaining(flags));
  }
});

test('zsh has a function for each command, with its commands and flags', () => {
  const script = zshScript(all);
  for (const { path, commands, flags } of all) {
    const name = ['_davit', ...path.split(/[ -]/)].filter((word) => word !== '').join('_');
    const body = script.split(`\n${name}() {`)[1]?.split('\n}')[0] ?? '';
    for (const word of commands) expect(body).toContain(`'${word.name}:`);
    for (const { names, value } of flags) expect(body).toContain(`${names[0]}${value === undefined ? '' : '='}`);
  }
  expect(script).toContain("'--sync=[when a write counts as durable]: :(full normal off)'");
});

test('fish has a line for each command and flag', () => {
  const lines = fishScript(all).split('\n');
  for (const { path, commands, flags } of all) {
    const own = lines.filter((line) => line.startsWith(`complete -c davit -n '${`__davit_at ${path}`.trim()}' `));
    for (const { name } of commands) expect(own.some((line) => line.includes(` -a ${name} `))).toBe(true);
    for (const { names } of flags) expect(own.some((line) => line.includes(` -l ${names[0]?.slice(2)} `))).toBe(true);
  }
});

const isInstalled = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

test('fish completes commands, flags and values', skipUnless(isInstalled('fish'), 'fish is not installed'), () => {
  const inFish = (line: string): string[] =>
    execFileSync('fish', ['--no-config', '-c', `${fishScript(all)}\ncomplete -C '${line}'`], { encoding: 'utf8' })
      .split('\n')
      .flatMap((one) => (one === '' ? [] : (one.split('\t')[0] ?? [])));
  expect(inFish('davit sta')).toEqual(['start', 'status']);
  expect(inFish('davit start --sync ')).toEqual(['full', 'normal', 'off']);
  expect(inFish('davit --port 1 node ')).toEqual(['add']);
  expect(inFish('davit node add --ec')).toEqual(['--ec2']);
});

test('zsh loads its functions', skipUnless(isInstalled('zsh'), 'zsh is not installed'), () => {
  const script = `autoload -U compinit; compinit -D\n${zshScript(all)}\nprint -l \${(k)functions} | grep -c ^_davit`;
  expect(execFileSync('zsh', ['-f', '-c', script], { encoding: 'utf8' }).trim()).toBe(String(all.length));
});
