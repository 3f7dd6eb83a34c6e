import { describe, expect, test } from 'vitest';
import { applyDefaultImageTag, parseImageName, trimImageTagDigest } from './image-reference.ts';

const HEX = 'a'.repeat(64);

test.each([
  ['nginx', 'docker.io/library/nginx', 'latest', '', 'nginx:latest'],
  ['nginx:1', 'docker.io/library/nginx', '1', '', 'nginx:1'],
  ['me/app', 'docker.io/me/app', 'latest', '', 'me/app:latest'],
  ['docker.io/nginx', 'docker.io/library/nginx', 'latest', '', 'docker.io/nginx:latest'],
  ['index.docker.io/a/b', 'docker.io/a/b', 'latest', '', 'index.docker.io/a/b:latest'],
  ['localhost/a', 'localhost/a', 'latest', '', 'localhost/a:latest'],
  ['r.io:5000/a/b-c__d.e:v1', 'r.io:5000/a/b-c__d.e', 'v1', '', 'r.io:5000/a/b-c__d.e:v1'],
  ['[::1]:5000/a', '[::1]:5000/a', 'latest', '', '[::1]:5000/a:latest'],
  ['Registry/a', 'Registry/a', 'latest', '', 'Registry/a:latest'],
  [`r.io/a@sha256:${HEX}`, 'r.io/a', '', `sha256:${HEX}`, `r.io/a@sha256:${HEX}`],
  [`r.io/a:1@sha256:${HEX}`, 'r.io/a', '1', `sha256:${HEX}`, `r.io/a:1@sha256:${HEX}`],
])('parses %s as %s with the tag "%s"', (image, name, tag, digest, tagged) => {
  expect(parseImageName(image)).toEqual({ name, tag, digest });
  expect(applyDefaultImageTag(image)).toBe(tagged);
});

describe('invalid image names', () => {
  test.each([
    ['', 'invalid reference format'],
    ['a b', 'invalid reference format'],
    ['FOO', 'invalid reference format: repository name (library/FOO) must be lowercase'],
    ['r.io/Foo:1', 'invalid reference format: repository name (Foo) must be lowercase'],
    ['r.io/', 'invalid reference format'],
    ['r.io/a:', 'invalid reference format'],
    ['https://r.io/a', 'invalid reference format'],
    [HEX, `invalid repository name (${HEX}), cannot specify 64-byte hexadecimal strings`],
    [`r.io/${'a'.repeat(256)}`, 'repository name must not be more than 255 characters'],
    [`r.io/a@sha256:${'a'.repeat(63)}`, 'invalid checksum digest length'],
    [`r.io/a@sha256:${'A'.repeat(64)}`, 'invalid checksum digest format'],
    [`r.io/a@md5:${'a'.repeat(32)}`, 'unsupported digest algorithm'],
    ['a'.repeat(2_000_000), 'invalid reference format'],
  ])('rejects %s with: %s', (image, why) => {
    expect(() => parseImageName(image)).toThrow(`couldn't parse image name ${JSON.stringify(image)}: ${why}`);
  });
});

test.each([
  ['nginx:1', 'nginx'],
  ['r.io:5000/a', 'r.io:5000/a'],
  [`r.io/a:1@sha256:${HEX}`, 'r.io/a'],
])('trims %s to %s', (image, name) => {
  expect(trimImageTagDigest(image)).toBe(name);
});
