import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import durations from '#test/durations.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../../..');
const SECONDS: Readonly<Record<string, number>> = durations;

/** Projects whose files wait for other programs start first. Short files are last, which keeps all workers busy to the end. */
const ORDER = ['clients', 'store', 'unit', 'cloud', 'root'];

const place = ({ project }: TestSpecification): number => ORDER.indexOf(project.name);
const seconds = ({ moduleId }: TestSpecification): number => SECONDS[relative(ROOT, moduleId)] ?? 0;

/** Runs one project after another so that they share workers. Within each, the longest files are first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => place(a) - place(b) || seconds(b) - seconds(a));
  }
}
