/**
 * The name of this package in the npm registry. Another project owns the name `davit` there, so no text here may lead a user to install it.
 * The scope is a placeholder, because the package is not published. A publisher with another scope changes this constant and the names that
 * `test/unit/package-name.test.ts` compares with it.
 */
export const PACKAGE_NAME = '@davit-dev/davit';

/** The modules that users' functions import. The function loader has its own copy of them. */
export const FUNCTION_MODULES = ['aggregated', 'api', 'controller', 'networkpolicy', 'webhook'] as const;

/** The specifier of a module of this package, such as `@davit-dev/davit/api`. */
export const moduleOf = (name: string): string => `${PACKAGE_NAME}/${name}`;

/** The command line that runs a program of this package. It fails if the package is not installed, instead of downloading one. */
export const runInstalled = (program: string): string => `npm exec --no -- ${program}`;
