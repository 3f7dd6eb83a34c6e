import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const VERSION = '2.6.1';
const CACHE = join(import.meta.dirname, '../../.cache');
const TARGET = join(CACHE, `dynamodb-local-${VERSION}`);
const run = promisify(execFile);

/** The folder with DynamoDB Local's jars, fetched once; or the reason why it cannot be had here. */
export async function installDynamoDbLocal(): Promise<{ jars: string } | { missing: string }> {
  if (!(await answers('java', ['-version']))) return { missing: 'java is not installed' };
  if (existsSync(TARGET)) return { jars: TARGET };
  if (!(await answers('mvn', ['-version'])))
    return { missing: 'mvn is not installed, and DynamoDB Local is not cached' };
  return fetchJars();
}

async function answers(program: string, args: string[]): Promise<boolean> {
  try {
    await run(program, args);
    return true;
  } catch {
    return false;
  }
}

/** Into a folder of its own and then renamed, so that two test processes never see half of it. */
async function fetchJars(): Promise<{ jars: string } | { missing: string }> {
  mkdirSync(CACHE, { recursive: true });
  const partial = `${TARGET}.${process.pid}`;
  const pom = join(import.meta.dirname, 'pom.xml');
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${partial}`, '-DincludeScope=runtime'];
  try {
    await run('mvn', ['-q', '-B', '-f', pom, ...goal], { timeout: 400_000 });
    if (!existsSync(TARGET)) renameSync(partial, TARGET);
    return { jars: TARGET };
  } catch (error) {
    if (existsSync(TARGET)) return { jars: TARGET };
    return { missing: `Maven could not fetch DynamoDB Local: ${String(error).split('\n')[0]}` };
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}
