import type { BuildOptions, TransformOptions } from 'esbuild';

/**
 * The options with which every function is bundled, by `bundle.ts`, the template and tests. Modules loaded with import() become separate
 * files, which are read on demand. The SDK is included, because the platform's SDK loads more slowly and differs between regions. Names are
 * kept, so that stack traces are readable.
 */
export const BUNDLE_OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  // The bundler splits only ES modules into several files. Each file is then converted to CommonJS.
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

/** The options that convert each of those files to CommonJS, which node loads synchronously and, if the code requests it, lazily. */
export const CHUNK_OPTIONS = {
  platform: BUNDLE_OPTIONS.platform,
  target: BUNDLE_OPTIONS.target,
  format: 'cjs',
  minifyWhitespace: true,
  // require() of a bundled module costs nothing, while import() of a node module would evaluate all of its exports.
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
} as const satisfies TransformOptions;
