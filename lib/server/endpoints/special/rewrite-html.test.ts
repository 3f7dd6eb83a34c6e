import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { rewriteHtml } from './rewrite-html.ts';

const prefixed = (link: string): string => (link.startsWith('/') ? `/p${link}` : link);
const same = (link: string): string => link;

/** Returns the rewritten document, passed in pieces of `size` bytes. */
async function rewritten(html: Uint8Array, rewrite: (link: string) => string, size = Infinity): Promise<Buffer> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < html.length; at += size) yield html.subarray(at, at + size);
  }
  const out: Uint8Array[] = [];
  for await (const chunk of rewriteHtml(pieces(), rewrite)) out.push(chunk);
  return Buffer.concat(out);
}

async function expectRewritten(html: string, seen: string): Promise<void> {
  const bytes = Buffer.from(html);
  for (let size = 1; size <= bytes.length; size++) expect(String(await rewritten(bytes, prefixed, size))).toBe(seen);
}

test.each([
  ['<a href="/x">', '<a href="/p/x">'],
  [`<a title=t href='/x' id=i>y</a>`, `<a title=t href="/p/x" id=i>y</a>`],
  ['<A HREF = /x>', '<A HREF="/p/x">'],
  ['<img src=/x/>', '<img src="/p/x/">'],
  ['<img src="/x"/>', '<img src="/p/x"/>'],
  ['<a href="&#47;x?a=1&amp;b=&lt;">', '<a href="/p/x?a=1&amp;b=&lt;">'],
  ['<a href="/ü">ü</a>', '<a href="/p/ü">ü</a>'],
  [`<a href='/"'>`, '<a href="/p/&#34;">'],
  ['<a href="/x" href="/y">', '<a href="/p/x" href="/p/y">'],
  ['<form action="/x"><input formaction="/y" value="/z">', '<form action="/p/x"><input formaction="/p/y" value="/z">'],
  ['<video poster="/x" src="/y"></video>', '<video poster="/p/x" src="/p/y"></video>'],
  ['<iframe longdesc="/x" src="/y">', '<iframe longdesc="/p/x" src="/p/y">'],
])('rewrites %s to %s, wherever it is split', async (html, seen) => {
  await expectRewritten(html, seen);
});

test.each([
  '<a href="x">',
  '<a href>',
  '<a href="">',
  '<p href="/x">',
  '<a title="/x">',
  '<!-- <a href="/x"> -->',
  `<script>write('<a href="/x">')</script>`,
  '<style>a { background: url(/x) }</style>',
  '<textarea><a href="/x"></textarea>',
  '<!DOCTYPE html><p class = x >1 < 2 &amp; 3</P >',
  '<a href="/x',
  'a < b',
])('does not change %j, wherever it is split', async (html) => {
  await expectRewritten(html, html);
});

test('preserves bytes that are not UTF-8', async () => {
  const html = Buffer.from('<p title="\xff">\xfe\x80<a href="\xff">', 'latin1');
  expect(await rewritten(html, same)).toEqual(html);
});

test('emits complete text before the end of the document', async () => {
  const said = Promise.withResolvers<void>();
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('<p>first');
    await said.promise;
  }
  const out = rewriteHtml(pieces(), (link) => link);
  expect((await out.next()).value?.toString()).toBe('<p>first');
  said.resolve();
  expect((await out.next()).done).toBe(true);
});

test('does not wait for the end of an unterminated tag', async () => {
  let given = 0;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('<a title="');
    for (; given < 1000; given++) yield Buffer.alloc(1024, 'x');
    yield Buffer.from('" href="/x">');
  }
  const out = rewriteHtml(pieces(), (link) => `/p${link}`);
  await out.next();
  expect(given).toBeLessThan(20);
  let rest = '';
  for await (const chunk of out) rest += Buffer.from(chunk).toString();
  expect(rest).toMatch(/x" href="\/p\/x">$/);
});

test('preserves any text without links to change', async () => {
  const markup = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '=',
    '/',
    '&',
    ';',
    '#',
    '!',
    '-',
    ' ',
    'a',
    'href',
    '<a href=',
    'x',
    '<script>',
    'ü',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(markup), fc.integer({ min: 1, max: 9 }), async (parts, size) => {
      const html = Buffer.from(parts.join(''));
      expect(await rewritten(html, same, size)).toEqual(html);
    }),
  );
});

test('yields to other requests every 16 KiB of a large document', async () => {
  const KIB = 1024;
  async function* document(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('<a href=/x>'.repeat(100).padEnd(100 * KIB));
  }
  let turns = 0;
  const turn = async (): Promise<void> => void turns++;
  await Array.fromAsync(rewriteHtml(document(), prefixed, turn));
  expect(turns).toBe(7);
});

test('does not rewrite links after the first 16 MiB', async () => {
  const MIB = 1 << 20;
  async function* document(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('<a href=/x>');
    for (let i = 0; i < 16; i++) yield Buffer.alloc(MIB, ' ');
    yield Buffer.from('<a href=/x>');
  }
  const seen = Buffer.concat(await Array.fromAsync(rewriteHtml(document(), prefixed)));
  expect(String(seen.subarray(0, 15))).toBe('<a href="/p/x">');
  expect(String(seen.subarray(15 + 16 * MIB))).toBe('<a href=/x>');
});
