import { PACKAGE_NAME } from '#lib/machinery/package-name.ts';
import type { Files } from './files.ts';

/** The program of a new folder's image: its functions as a process, or a server with them. A definition by itself needs no image. */
export type Image = 'functions' | 'server' | 'none';

/** The settings of a new folder's files. */
export interface ProjectSettings {
  readonly name: string;
  /** This package's version for the package.json: a version, or `file:` and a path. */
  readonly dependency: string;
  readonly image: Image;
}

/** The files that make a folder an independent package, for node, the compiler, git and docker. */
export const projectFiles = ({ name, dependency, image }: ProjectSettings): Files => ({
  'package.json': `${JSON.stringify(packageOf(name, dependency), undefined, 2)}\n`,
  'tsconfig.json': `${JSON.stringify(TSCONFIG, undefined, 2)}\n`,
  '.gitignore': `${LOCAL.join('\n')}\n*.tgz\n`,
  ...(image === 'none'
    ? {}
    : { Dockerfile: dockerfile(name, COMMANDS[image]), '.dockerignore': `${LOCAL.join('\n')}\n` }),
});

/** npm puts the programs of node_modules first on the PATH of scripts. `node` is then version 24, whatever the machine has installed. */
const packageOf = (name: string, dependency: string) => ({
  name,
  private: true,
  type: 'module',
  scripts: { test: 'node --test', check: 'tsc' },
  dependencies: { [PACKAGE_NAME]: dependency },
  devDependencies: { '@types/node': '^24.0.0', node: '^24.0.0', typescript: '^7.0.0' },
  allowScripts: { node: true },
});

const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'esnext'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
  },
};

/** Files specific to the machine, which are excluded from git and images. */
const LOCAL = ['node_modules/', '.davit/', '.davit-kubeconfig'];

const COMMANDS = {
  functions: ['run', '/functions'],
  server: ['start', '--host=0.0.0.0', '--data-dir=/tmp/davit', '--functions=/functions'],
} satisfies Record<Exclude<Image, 'none'>, readonly string[]>;

const dockerfile = (
  name: string,
  command: readonly string[],
): string => `# Put the tarball of Davit, which npm pack makes, beside this file. Then build the image:
#   docker build -t registry.example/${name}:1 .
FROM node:24-slim
WORKDIR /functions
COPY package.json *.tgz ./
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund ./*.tgz
COPY . .
USER 1000
ENTRYPOINT ["/functions/node_modules/.bin/davit"]
CMD ${JSON.stringify(command)}
`;
