import { useEffect } from 'preact/hooks';

import { Fault } from '../fault.jsx';
import { Reading } from './reading.jsx';

/** @import { ComponentChildren } from 'preact' */
/** @import { PodGroupReport } from '../../whatif/pod_groups.js' */
/** @import { Session } from '../session.js' */
/** @import { Desk } from './desk.js' */

/** The most rows of a table. */
const MOST = 100;

/** A pod group, and why it cannot start. @param {{ session: Session, desk: Desk }} props */
export function PodGroupView({ session, desk }) {
  const { about, answer, fault, isAsking } = desk.podGroup;
  useEffect(() => desk.podGroup.enter(), []);
  const report = answer.value;
  return (
    <>
      <Reading desk={desk} />
      <Fault fault={fault.value} />
      {report && report.groups.length > 0 && (
        <p class="fields-in-line">
          <select
            aria-label="Pod group"
            value={report.podGroup}
            onChange={({ currentTarget }) => {
              about.value = currentTarget.value;
            }}
          >
            {report.groups.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </p>
      )}
      <p role="status" class="future-summary" aria-busy={isAsking}>
        {report && <b>{titleOf(report)}</b>}
        {!report && isAsking.value && 'The scheduler is trying the group.'}
      </p>
      {report && report.podGroup !== '' && <Report session={session} report={report} />}
    </>
  );
}

/** @param {PodGroupReport} report */
function titleOf({ podGroup, sentences: [state] }) {
  return podGroup === '' ? 'No pod is in a pod group.' : `${podGroup} ${state}.`;
}

/** @param {{ session: Session, report: PodGroupReport }} props */
function Report({ session, report: { minCount, sentences, pods, domains, victims } }) {
  const [, ...others] = sentences;
  return (
    <>
      <p>{minCount === undefined ? 'Any number of its pods may start' : `minCount ${minCount}`}</p>
      {others.length > 0 && (
        <ul aria-label="Why">
          {others.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      <Rows title="Members" heads={['Pod', 'Node']} count={pods.length}>
        {pods.slice(0, MOST).map(({ pod, node, message }) => (
          <Row key={pod} cells={[node ?? 'none']} why={message}>
            <button type="button" onClick={() => session.selectPod(pod)}>
              {pod}
            </button>
          </Row>
        ))}
      </Rows>
      <Rows title="Domains" heads={['Domain', 'Nodes', 'Pods']} count={domains.length}>
        {domains.slice(0, MOST).map(({ domain, nodes, pods: taken, message }) => (
          <Row key={domain} cells={[nodes, taken]} why={message}>
            {domain}
          </Row>
        ))}
      </Rows>
      <Rows title="Victims" heads={['Pod', 'Priority']} count={victims.length}>
        {victims.slice(0, MOST).map(({ pod, priority, by }) => (
          <Row key={pod} cells={[priority]} why={`for ${by}`}>
            {pod}
          </Row>
        ))}
      </Rows>
    </>
  );
}

/**
 * A table, if there is something in it.
 * @param {{ title: string, heads: string[], count: number, children: ComponentChildren }} props
 */
function Rows({ title, heads, count, children }) {
  if (count === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <div class="table differences" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
      {count > MOST && <p>and {(count - MOST).toLocaleString('en')} more</p>}
    </>
  );
}

/** @param {{ cells: (string | number)[], why: string, children: ComponentChildren }} props */
function Row({ cells, why, children }) {
  return (
    <>
      <tr>
        <th scope="row">{children}</th>
        {cells.map((cell, index) => (
          <td key={index}>{cell}</td>
        ))}
      </tr>
      {why && (
        <tr class="why">
          <td colSpan={cells.length + 1}>{why}</td>
        </tr>
      )}
    </>
  );
}
