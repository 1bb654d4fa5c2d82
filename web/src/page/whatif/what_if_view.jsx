import { useEffect } from 'preact/hooks';

import { Fault } from '../fault.jsx';
import { ChangeChoices } from './change_choices.jsx';
import { ChangeList } from './change_list.jsx';
import { deskOf } from './desk.js';
import { FailureView } from './failure_view.jsx';
import { FixView } from './fix_view.jsx';
import { OutlookView } from './outlook_view.jsx';
import { PodGroupView } from './pod_group_view.jsx';
import { Reading } from './reading.jsx';
import './what_if.css';

/** @import { Session } from '../session.js' */
/** @import { Desk, Mode } from './desk.js' */

/** @type {readonly { mode: Mode, title: string }[]} */
const MODES = [
  { mode: 'changes', title: 'Changes' },
  { mode: 'failures', title: 'Failures' },
  { mode: 'fix', title: 'Fix' },
  { mode: 'podGroup', title: 'Group' },
];

/** The panel for questions about the future. @param {{ session: Session }} props */
export function WhatIfView({ session }) {
  const desk = deskOf(session);
  useEffect(() => desk.enter(), []);
  return (
    <>
      <h2>What if…</h2>
      <Modes desk={desk} />
      {desk.mode.value === 'changes' && <Changes session={session} desk={desk} />}
      {desk.mode.value === 'fix' && <FixView session={session} desk={desk} />}
      {desk.mode.value === 'podGroup' && <PodGroupView session={session} desk={desk} />}
      {desk.mode.value === 'failures' && <FailureView session={session} desk={desk} />}
    </>
  );
}

/** @param {{ desk: Desk }} props */
function Modes({ desk }) {
  return (
    <fieldset class="modes">
      <legend class="unseen">Question</legend>
      {MODES.map(({ mode, title }) => (
        <label key={mode}>
          <input
            type="radio"
            name="what-if"
            checked={desk.mode.value === mode}
            onChange={() => {
              desk.mode.value = mode;
            }}
          />
          {title}
        </label>
      ))}
    </fieldset>
  );
}

/** @param {{ session: Session, desk: Desk }} props */
function Changes({ session, desk }) {
  return (
    <>
      <p class="hint">
        The scheduler tries changes on a copy of the cluster. Nothing happens until you make them.
      </p>
      <ChangeChoices session={session} desk={desk} />
      <ChangeList desk={desk} />
      <Reading desk={desk} />
      <Fault fault={desk.fault.value} />
      <OutlookView session={session} desk={desk} />
    </>
  );
}
