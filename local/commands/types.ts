import type { Command } from 'commander';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { readManifests } from '../manifests.ts';
import { fileFault, StartFault } from '../start-fault.ts';
import { typesOf, withImports } from './type-text.ts';

/** Adds `types`, which prints TypeScript for the objects of a definition. */
export function typesCommand(command: Command): void {
  command
    .command('types')
    .description('print TypeScript types of the CustomResourceDefinitions in a file')
    .argument('<file>', 'YAML or JSON')
    .action(async (file: string) => void process.stdout.write(await typesIn(file)));
}

/** Throws StartFault if the file holds no definition. */
async function typesIn(file: string): Promise<string> {
  const objects = await readManifests(file).catch((error: unknown) => {
    throw fileFault(file, error);
  });
  const definitions = objects
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .map((definition) => definition as unknown as JsonObject);
  if (definitions.length === 0) throw new StartFault(`${file} holds no CustomResourceDefinition`);
  const texts = definitions.map(typesOf);
  const empty = definitions[texts.indexOf('')];
  if (empty !== undefined) {
    const name = stringAt(objectAt(empty, 'metadata'), 'name') ?? 'without a name';
    throw new StartFault(`${file}: CustomResourceDefinition ${name} has no spec.names.kind, or serves no version`);
  }
  return withImports(...texts);
}
