import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EFFECTS } from '#lib/node/kubelet/apis/config/effects.ts';
import { CONFIGURATION_FLAGS } from '#lib/node/kubelet/apis/config/flags.ts';
import { davitCommand } from '#local/command.ts';

const BINARIES = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
const { options } = davitCommand();
const FLAGS = new Map(options.map((option) => [option.long ?? '', option.attributeName()]));

const page = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../docs/reference', `${name}.md`), 'utf8');

/** The cells of each row in a page's table, without the header. */
const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).split(' | '));

test('documents exactly our own options, with their keys', () => {
  const documented = rowsOf(page('davit')).map(([flag = '', key = '']) => [/--[a-z0-9-]+/.exec(flag)?.[0], key]);
  const keyOf = (key: string): string =>
    ['config', 'printConfig', 'helpAll', 'version'].includes(key) ? '' : `\`${key}\``;
  expect(documented).toEqual([...FLAGS].map(([flag, key]) => [flag, keyOf(key)]));
});

test.each(BINARIES)('%s lists each flag once: it exists, has no effect or is refused', (name) => {
  const rows = rowsOf(page(name));
  const flags = rows.map(([flag]) => flag);
  expect(flags.length).toBeGreaterThan(50);
  expect(new Set(flags).size).toBe(flags.length);
  const known = ['no effect', 'refused', '`/version`', '`--help`', ...[...FLAGS.keys()].map((flag) => `\`${flag}\``)];
  expect(rows.filter(([, here = '']) => !known.includes(here))).toEqual([]);
});

test('maps flags of upstream’s server to ours', () => {
  const here = new Map(rowsOf(page('kube-apiserver')).map(([flag = '', ours = '']) => [flag, ours]));
  const shared = [...FLAGS.keys()].map((flag) => `\`${flag}\``).filter((flag) => here.has(flag));
  expect(shared.filter((flag) => here.get(flag) !== flag)).toEqual([]);
  expect(shared.length).toBeGreaterThan(25);
});

test('the effect and the flags of every setting of the kubelet are documented', () => {
  const documented = rowsOf(page('kubelet').split('Flags that set no field')[0] ?? '');
  const flagsOf = (setting: string): string =>
    Object.entries(CONFIGURATION_FLAGS)
      .filter(([, { path }]) => path[0] === setting)
      .map(([flag]) => `\`--${flag}\``)
      .join(', ');
  const expected = Object.entries(EFFECTS).map(([setting, effect]) => [
    `\`${setting}\``,
    flagsOf(setting),
    ...(effect === 'works'
      ? ['works', '']
      : effect === 'with --serve'
        ? ['with `--serve`', '']
        : 'none' in effect
          ? ['no effect', effect.none]
          : ['refused', effect.refused]),
  ]);
  expect(documented).toEqual(expected);
});
