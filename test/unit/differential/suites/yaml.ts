import { type Suite, YAML_TYPE } from '../case.ts';
import type { Draw } from '../draw.ts';

const TOKENS = [
  'a',
  'b',
  'key',
  ':',
  ': ',
  '- ',
  '-',
  '? ',
  ', ',
  '[',
  ']',
  '{',
  '}',
  '\n',
  '\n  ',
  '\n    ',
  '"',
  "'",
  '"x\\n"',
  "'it''s'",
  '|',
  '>',
  '|-',
  '>+2',
  '#',
  ' # c',
  '&x ',
  '*x',
  '!!str ',
  '!!int ',
  '!local ',
  '<<: ',
  '---',
  '...',
  '%YAML 1.1',
  '~',
  'null',
  'yes',
  'no',
  'on',
  'true',
  '0o17',
  '017',
  '0x1F',
  '1_000',
  '.inf',
  '.nan',
  '1e3',
  '1:30',
  '2026-01-02',
  '=',
  '\t',
  ' ',
  '\\',
  '@',
  '`',
  'é',
  '\u0085',
  '\u2028',
  '\uFEFF',
  '12345678901234567890',
];

/** A ConfigMap whose document contains random pieces of YAML, created in a dry run. */
export const yaml: Suite = (draw, id) => {
  const head = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${id}}\n`;
  const path = '/api/v1/namespaces/{ns}/configmaps?dryRun=All&fieldValidation=Strict';
  return { name: 'create from YAML', steps: [{ method: 'POST', path, headers: YAML_TYPE, body: head + body(draw) }] };
};

const body = (draw: Draw): string =>
  draw.chance(0.5) ? `data:\n${draw.several(1, 4, (i) => `  k${i}: ${pieces(draw, 6)}\n`).join('')}` : pieces(draw, 16);

const pieces = (draw: Draw, most: number): string => draw.several(1, most, () => draw.pick(TOKENS)).join('');
