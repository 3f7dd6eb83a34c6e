import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { StartFault } from '../start-fault.ts';
import { dnsLabel } from './dns-label.ts';
import { TEMPLATES, type Files } from './templates.ts';

/** Adds `new`: working files to begin with, and their tests. */
export function newCommand(command: Command): void {
  command
    .command('new')
    .description('write a working reconciler, webhook or definition, and its test')
    .addArgument(new Argument('<what>', 'what to write').choices(Object.keys(TEMPLATES)))
    .argument('<name>', 'its name: a DNS label', dnsLabel)
    .option('--dir <path>', 'where to', '.')
    .option('--plural <name>', 'of a crd whose plural is irregular', dnsLabel)
    .action(async (what: keyof typeof TEMPLATES, name: string, { dir, plural }: NewFlags) => {
      for (const path of await writeNew(TEMPLATES[what](name, plural), dir)) console.log(path);
      console.log(`\nTest it with: node --test ${join(dir, `${name}.test.ts`)}`);
      if (what === 'crd') console.log(`Its types:    npx davit types ${join(dir, `${name}.crd.yaml`)}`);
      else console.log(`Run it with:  npx davit start --functions ${dir}`);
      if (!(await isOfModules(dir))) console.log('Once, for node:  npm pkg set type=module');
    });
}

interface NewFlags {
  readonly dir: string;
  readonly plural?: string;
}

/** Writes the files and gives their paths. Throws StartFault where one of them is there. */
async function writeNew(all: Files, folder: string): Promise<string[]> {
  const files = Object.entries(all).map(([file, text]) => ({ path: join(folder, file), text }));
  const known = files.find(({ path }) => existsSync(path));
  if (known !== undefined) throw new StartFault(`${known.path} is there already`);
  await mkdir(folder, { recursive: true });
  for (const { path, text } of files) await writeFile(path, text, { flag: 'wx' });
  return files.map(({ path }) => path);
}

/** Whether node takes sources in the folder for ES modules at once: by the nearest package.json. */
async function isOfModules(folder: string): Promise<boolean> {
  const at = resolve(folder);
  const text = await readFile(join(at, 'package.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return dirname(at) !== at && isOfModules(dirname(at));
  return /"type"\s*:\s*"module"/.test(text);
}
