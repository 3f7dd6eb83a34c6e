import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { runInstalled } from '#lib/machinery/package-name.ts';
import { StartFault } from '../start-fault.ts';
import { dnsLabel } from './dns-label.ts';
import type { Files } from './files.ts';
import { TEMPLATES } from './templates.ts';

type What = keyof typeof TEMPLATES;

/** Adds `new`: working files to begin with, and their tests. */
export function newCommand(command: Command): void {
  command
    .command('new')
    .description('create an operator, reconciler, webhook, definition or aggregated API, with a test')
    .addArgument(new Argument('<what>', 'what to create').choices(Object.keys(TEMPLATES)))
    .argument('<name>', 'its name: a DNS label', dnsLabel)
    .option('--dir <path>', 'the parent folder; an operator gets a folder of its own in it', '.')
    .option('--plural <name>', 'the plural of the kind, if it is irregular', dnsLabel)
    .action(async (what: What, name: string, { dir, plural }: NewFlags) => {
      const folder = what === 'operator' ? join(dir, name) : dir;
      for (const path of await writeNew(TEMPLATES[what](name, plural), folder)) console.log(path);
      console.log(`\n${nextSteps(what, name, folder).join('\n')}`);
      if (!(await isOfModules(folder))) console.log('Once, for node:  npm pkg set type=module');
    });
}

interface NewFlags {
  readonly dir: string;
  readonly plural?: string;
}

function nextSteps(what: What, name: string, folder: string): readonly string[] {
  const test = `Test it with: node --test ${join(folder, `${name}.test.ts`)}`;
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

const MODULES = `${JSON.stringify({ private: true, type: 'module' }, undefined, 2)}\n`;

/** Writes the files and gives their paths. Throws StartFault where one of them is there. */
async function writeNew(all: Files, folder: string): Promise<string[]> {
  const isPlain = !existsSync(join(folder, 'package.json')) && !(await isOfModules(folder));
  const written = { ...all, ...(isPlain ? { 'package.json': MODULES } : {}) };
  const files = Object.entries(written).map(([file, text]) => ({ path: join(folder, file), text }));
  const known = files.find(({ path }) => existsSync(path));
  if (known !== undefined) throw new StartFault(`${known.path} already exists`);
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
  }
  return files.map(({ path }) => path);
}

/** Whether node takes sources in the folder for ES modules at once: by the nearest package.json. */
async function isOfModules(folder: string): Promise<boolean> {
  const at = resolve(folder);
  const text = await readFile(join(at, 'package.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return dirname(at) !== at && isOfModules(dirname(at));
  return /"type"\s*:\s*"module"/.test(text);
}
