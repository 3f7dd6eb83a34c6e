import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Messages } from './sources.ts';

const MESSAGE = /^message (\w+) \{$/;
const FIELD = /^ {2}(optional|repeated|required)? ?(map<[^>]+>|[\w.]+) (\w+) = (\d+)(?: \[[^\]]*\])?;$/;

/** The messages of every `generated.proto` below a folder, as shipped in `k8s.io/api` and related modules. */
export function readMessages(folder: string): Messages {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('/generated.proto'),
  );
  return Object.assign(
    {},
    ...files.sort().map((file) => messagesOf(readFileSync(join(folder, file), 'utf8'))),
  ) as Messages;
}

/** The messages of one file by full name. Reads only the plain form that Kubernetes generates: no nesting, one field per line. */
export function messagesOf(text: string): Messages {
  const pkg = /^package ([\w.]+);$/m.exec(text)?.[1] ?? '';
  const messages: Record<string, Record<string, [number, string]>> = {};
  let fields: Record<string, [number, string]> = {};
  for (const line of text.split('\n')) {
    const name = MESSAGE.exec(line)?.[1];
    if (name !== undefined) messages[`${pkg}.${name}`] = fields = {};
    const [, label, type = '', field, number] = FIELD.exec(line) ?? [];
    if (field !== undefined)
      fields[field] = [Number(number), `${type.replaceAll(' ', '')}${label === 'repeated' ? '[]' : ''}`];
  }
  return messages;
}
