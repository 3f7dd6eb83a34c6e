import type { Command } from 'commander';
import { type AdmissionFlags, type ReadAdmission, admissionOf as read } from '#lib/server/options/admission.ts';
import { namedFiles } from '../named-file.ts';
import { listed } from './listed.ts';

/** Adds the flags to the command. */
export function admissionFlags(command: Command): Command {
  return command
    .option('--enable-admission-plugins <names>', 'additional admission plugins to run', listed, [])
    .option('--disable-admission-plugins <names>', 'admission plugins to switch off', listed, [])
    .option('--admission-control-config-file <path>', 'an AdmissionConfiguration: the configuration of plugins')
    .option('--legacy-psp', 'serve a list of pod security policies that names their replacement');
}

/** Reads the flags. Rejects with an OptionError that names the problem. */
export const admissionOf = async (flags: AdmissionFlags): Promise<ReadAdmission> => read(flags, namedFiles);
