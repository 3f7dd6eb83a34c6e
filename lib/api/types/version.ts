// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';

/** The version of the program that answers. */
export type Info = {
  [typed]?: 'version.Info';
  major: string;
  minor: string;
  gitVersion: string;
  gitCommit: string;
  gitTreeState: string;
  buildDate: string;
  goVersion: string;
  compiler: string;
  platform: string;
  emulationMajor?: string;
  emulationMinor?: string;
  minCompatibilityMajor?: string;
  minCompatibilityMinor?: string;
};
