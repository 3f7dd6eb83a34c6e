import { describe, expect, test } from 'vitest';
import { commentTexts, englishFacts, testTitles } from './english.ts';

describe('commentTexts', () => {
  test.each([
    ['a block of several lines as one text', '/**\n * Reads it,\n * then ends.\n */', ['Reads it, then ends.']],
    ['consecutive line comments as one text', '// Reads it,\n// then ends.\nread();', ['Reads it, then ends.']],
    ['a comment after code', 'read(); // once', ['once']],
    ['no address in a string', "const url = 'https://example.com';", []],
  ])('returns %s', (_name, source, texts) => {
    expect(commentTexts(source)).toEqual(texts);
  });
});

describe('testTitles', () => {
  test.each([
    ['a plain test', "test('rejects it', () => {", ['rejects it']],
    ['an escaped quote', "test('rejects Ann\\'s', () => {", ["rejects Ann\\'s"]],
    ['a table on one line', "test.each(rows)('reads %s', () => {", ['reads %s']],
    ['a table on several lines', "test.each<[string]>([\n  ['a'],\n])('reads %s', () => {", ['reads %s']],
    ['a group', "describe('a watch', () => {", ['a watch']],
    ['no other call', "contest('rejects it');", []],
  ])('returns the title of %s', (_name, source, titles) => {
    expect(testTitles(source)).toEqual(titles);
  });
});

test.each([
  ['"where" for "if"', '/** Undefined where there is none. */', "test('rejects it where it is empty', f)"],
  ['"is told"', '/** Is told each size. */', "test('is told of a change', f)"],
  ['who, whoever, whom', '/** Whoever asks. */', "test('rejects a user who lies', f)"],
  ['nobody or nothing as a subject', '/** Nobody waits. */', "test('sends it once nothing waits', f)"],
  ['comments that open with Of or As', '/** Of an answer, its size. */', '/** As upstream. */'],
  ['comments that open with a unit', '/** Milliseconds. */', '// bytes of a page'],
  ['test titles that open with a preposition', "test('without a name', f)", "test('in a function, it ends', f)"],
  ['test titles of one or two words', "test('returns 404', f)", "describe('watches', f)"],
])('counts %s', (fact, ...sources) => {
  expect(englishFacts(sources)).toMatchObject({ [`English: ${fact}`]: 2 });
});

test('counts no word that is only part of another, and no place', () => {
  const sources = ['/** The whole path, where `root` ends. Officers assess. */', "test('ignores anyone else', f)"];
  expect(Object.values(englishFacts(sources)).every((count) => count === 0)).toBe(true);
});
