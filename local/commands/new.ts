import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Argument, type Command } from 'commander';
import { runInstalled } from '#lib/machinery/package-name.ts';
import { StartFault } from '../start-fault.ts';
import { dnsLabel } from './dns-label.ts';
import type { Files, TemplateOptions } from './files.ts';
import { ownDependency } from './own-dependency.ts';
import { type Image, projectFiles } from './project-files.ts';
import { TEMPLATES } from './templates.ts';

type What = keyof typeof TEMPLATES;

/** The image of each template's folder. */
const IMAGES: Readonly<Record<What, Image>> = {
  operator: 'functions',
  reconciler: 'functions',
  webhook: 'functions',
  crd: 'none',
  'aggregated-api': 'server',
};

interface NewFlags extends TemplateOptions {
  readonly dir: string;
}

/** Adds `new`, which writes working files to start from, and their tests. */
export function newCommand(command: Command): void {
  command
    .command('new')
    .description('create a folder with an operator, reconciler, webhook, definition or aggregated API, and a test')
    .addArgument(new Argument('<what>', 'what to create').choices(Object.keys(TEMPLATES)))
    .argument('<name>', 'its name and that of its folder: a DNS label', dnsLabel)
    .option('--dir <path>', 'the parent of the folder', '.')
    .option('--plural <name>', 'the plural of the kind, if it is irregular', dnsLabel)
    .option('--conversion', 'give an operator a second version of its kind, and a webhook that converts')
    .action(async (what: What, name: string, { dir, ...options }: NewFlags) => {
      if (options.conversion === true && what !== 'operator')
        throw new StartFault('--conversion is for an operator: davit new operator NAME --conversion');
      const folder = join(dir, name);
      const dependency = await ownDependency(folder);
      const project = projectFiles({ name, dependency, image: IMAGES[what] });
      for (const path of await writeNew({ ...TEMPLATES[what](name, options), ...project }, folder)) console.log(path);
      console.log(`\n${nextSteps(what, name, folder).join('\n')}`);
    });
}

function nextSteps(what: What, name: string, folder: string): readonly string[] {
  const test = `Test it with: npm test --prefix ${folder}`;
  const run = `Run it with:  ${runInstalled('davit')} start --functions ${folder}`;
  switch (what) {
    case 'operator':
      return [test, run, `Define it by: kubectl apply --server-side -f ${join(folder, 'crds')}`];
    case 'crd':
      return [test, `Its types:    ${runInstalled('davit')} types ${join(folder, `${name}.crd.yaml`)}`];
    case 'reconciler':
    case 'webhook':
    case 'aggregated-api':
      return [test, run];
    default:
      return what satisfies never;
  }
}

/** Writes the files and returns their paths. Throws StartFault if one of them exists. */
async function writeNew(all: Files, folder: string): Promise<string[]> {
  const files = Object.entries(all).map(([file, text]) => ({ path: join(folder, file), text }));
  const known = files.find(({ path }) => existsSync(path));
  if (known !== undefined) throw new StartFault(`${known.path} already exists`);
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
  }
  return files.map(({ path }) => path);
}
