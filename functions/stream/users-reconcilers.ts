import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { parseDeclarations } from '#lib/client/controller/declaration.ts';
import { byDeclaration, type RequestRoute } from '#lib/stream/request-consumer.ts';

/** For each reconciler, its declaration and the FIFO queue of its function. The built-in reconcilers have a separate queue. */
const entries = z.array(z.strictObject({ queue: z.string().endsWith('.fifo'), declaration: z.unknown() }));

/** Users' reconcilers. Empty if the deployment has no such file. Throws TypeError if the file is invalid. */
export function usersReconcilers(file: string): readonly RequestRoute[] {
  if (!existsSync(file)) return [];
  const read = entries.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!read.success) throw new TypeError(`${file}: a list of queues and declarations is expected`);
  const declarations = parseDeclarations(read.data.map(({ declaration }) => declaration));
  return declarations.map((declaration, i) => byDeclaration(declaration, read.data[i]?.queue));
}
