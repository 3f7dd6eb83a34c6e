import type { BuildOptions, TransformOptions } from 'esbuild';

/**
 * How every function becomes files, wherever it is built (`bundle.ts`, the template, tests): what import() names
 * is apart, and read when it is needed. The SDK is within: that of the platform is loaded slower, and differs from region to region. Names stay as they are, so that stack
 * traces can be read.
 */
export const BUNDLE_OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  // Only of modules does the bundler make several files; CommonJS is made of each of them.
  format: 'esm',
  splitting: true,
  chunkNames: '[hash]',
  mainFields: ['module', 'main'],
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: false,
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** How each of those files becomes CommonJS, which node loads in one turn and, where code says so, late. */
export const CHUNK_OPTIONS = {
  platform: BUNDLE_OPTIONS.platform,
  target: BUNDLE_OPTIONS.target,
  format: 'cjs',
  minifyWhitespace: true,
  // require() of what is within costs nothing; import() of a module of node's would evaluate all that the module has.
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
} as const satisfies TransformOptions;
