/**
 * The name of this package in the npm registry. The name `davit` there belongs to another project, so no text of this one may cause npm to
 * download it. The scope is a placeholder, because the registry has no package of this name. A publisher with another scope changes this
 * constant and the names that `test/unit/package-name.test.ts` compares with it.
 */
export const PACKAGE_NAME = '@davit-dev/davit';

/** The modules that users' functions import. The program that loads a function has its own copy of them. */
export const FUNCTION_MODULES = ['aggregated', 'api', 'controller', 'networkpolicy', 'webhook'] as const;

/** The specifier of a module of this package, such as `@davit-dev/davit/api`. */
export const moduleOf = (name: string): string => `${PACKAGE_NAME}/${name}`;

/** The command line that runs a program of this package. Fails if the package is not installed, and downloads nothing. */
export const runInstalled = (program: string): string => `npm exec --no -- ${program}`;
