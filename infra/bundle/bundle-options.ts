import type { BuildOptions, TransformOptions } from 'esbuild';

/**
 * How every function is bundled, wherever it is built (`bundle.ts`, the template, tests). Modules loaded with import() become separate
 * files, which are read on demand. The SDK is included, because the platform's SDK loads more slowly and differs between regions. Names are
 * kept, so that stack traces are readable.
 */
export const BUNDLE_OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  // The bundler splits only ES modules into several files; each is then converted to CommonJS.
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

/** How each of those files becomes CommonJS, which node loads synchronously and, if the code requests it, lazily. */
export const CHUNK_OPTIONS = {
  platform: BUNDLE_OPTIONS.platform,
  target: BUNDLE_OPTIONS.target,
  format: 'cjs',
  minifyWhitespace: true,
  // require() of an included module costs nothing; import() of a node module would evaluate all of its exports.
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
} as const satisfies TransformOptions;
