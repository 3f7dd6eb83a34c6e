import type { BuildOptions } from 'esbuild';

/**
 * How every function becomes one CommonJS file, wherever it is built (`scripts/bundle.ts`, the template, tests). The SDK is
 * within: that of the platform is loaded slower, and differs from region to region. Names stay as they are, so that stack
 * traces can be read.
 */
export const BUNDLE_OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: false,
  legalComments: 'none',
  // import() of what is within costs nothing; of a module of node's it would evaluate all that the module has.
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
} as const satisfies BuildOptions;
