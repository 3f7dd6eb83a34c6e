import type { PodTemplate } from '#lib/api/types/core.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { labelsText, templateContainers } from '../cells.ts';
import { column } from '../columns.ts';
import { NAME_COLUMN } from '../default.ts';

/** Upstream's printPodTemplate. */
export const podTemplate: TablePrinter<PodTemplate> = {
  columns: [
    NAME_COLUMN,
    column('Containers', 'The names of the containers in the template.'),
    column('Images', 'The images of the containers in the template.'),
    column('Pod Labels', 'The labels that the template gives to pods.'),
  ],
  cells: (object) => [
    nameOf(object),
    ...templateContainers(object.template),
    labelsText(object.template.metadata.labels),
  ],
};
