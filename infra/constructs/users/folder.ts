import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ContextError } from '../../context.ts';
import { usersCode } from '../code.ts';
import type { Platform } from './platform.ts';
import { Reconciler } from './reconciler.ts';
import { Webhook } from './webhook.ts';

/** As `--functions` takes them: sources right in the folder, but no tests. */
const SOURCE = /\.(ts|mts|js|mjs)$/;
const OTHER = /\.(test|spec)\.\w+$|\.d\.m?ts$/;

/** Every function that the files of a folder declare. Throws ContextError where there is no folder. */
export function addFolder(platform: Platform, folder: string): void {
  if (!existsSync(folder)) throw new ContextError(`context functions is the path of a folder; there is no ${folder}`);
  const files = readdirSync(folder).filter((file) => SOURCE.test(file) && !OTHER.test(file));
  for (const entry of files.sort().map((file) => join(folder, file))) {
    const { declared } = usersCode(entry, platform.context);
    for (const { name } of declared.reconcilers) new Reconciler(platform, `Reconciler-${name}`, { entry, name });
    for (const { name } of declared.webhooks) new Webhook(platform, `Webhook-${name}`, { entry, name });
  }
}
