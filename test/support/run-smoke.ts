import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { mortal } from './mortal.ts';

/** Runs `npm run smoke` with these arguments. Resolves with its exit code and the printed lines. */
export async function runSmoke(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly code: unknown; readonly lines: readonly string[] }> {
  const cwd = join(import.meta.dirname, '../..');
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  const env = { ...process.env, ...environment, PATH: path };
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = mortal(spawn('npm', ['run', '--silent', 'smoke', '--', ...words], { cwd, env, stdio: [...stdio] }));
  const ended = once(child, 'close');
  const lines: string[] = [];
  if (child.stdout !== null) for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  return { code: (await ended)[0], lines };
}
