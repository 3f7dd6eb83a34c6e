import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Argument, type Command } from 'commander';
import { StartFault } from '../start-fault.ts';
import { dnsLabel } from './dns-label.ts';
import { TEMPLATES } from './templates.ts';

/** Adds `new`: working files to begin with, and their tests. */
export function newCommand(command: Command): void {
  command
    .command('new')
    .description('write a working reconciler, webhook or definition, and its test')
    .addArgument(new Argument('<what>', 'what to write').choices(Object.keys(TEMPLATES)))
    .argument('<name>', 'its name: a DNS label', dnsLabel)
    .option('--dir <path>', 'where to', '.')
    .action(async (what: keyof typeof TEMPLATES, name: string, { dir }: { readonly dir: string }) => {
      for (const path of await writeNew(what, name, dir)) console.log(path);
      console.log(`\nTest it with: node --test ${join(dir, `${name}.test.ts`)}`);
      if (what === 'crd') console.log(`Its types:    npx davit types ${join(dir, `${name}.crd.yaml`)}`);
      else console.log(`Run it with:  npx davit start --functions ${dir}`);
    });
}

/** Writes the files and gives their paths. Throws StartFault where one of them is there. */
async function writeNew(what: keyof typeof TEMPLATES, name: string, folder: string): Promise<string[]> {
  const files = Object.entries(TEMPLATES[what](name)).map(([file, text]) => ({ path: join(folder, file), text }));
  const known = files.find(({ path }) => existsSync(path));
  if (known !== undefined) throw new StartFault(`${known.path} is there already`);
  await mkdir(folder, { recursive: true });
  for (const { path, text } of files) await writeFile(path, text, { flag: 'wx' });
  return files.map(({ path }) => path);
}
