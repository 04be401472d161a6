"""Instructions that are beyond the offline model: each is asked about, none is guessed at."""

from __future__ import annotations

TABLE = (
    # numbers, figures and places that only a picture shows
    "Guess the number between 1 and 10",
    "How many red circles are there?",
    "count the blue squares",
    "Drag the triangle left",
    "Drag Ben to the 3rd position.",
    "move Ben to the top of the list",
    "Drag the smaller box so that it is completely inside the larger box.",
    "Sort the numbers in increasing order",
    "Resize the textarea so that the width is larger than its initial size",
    # problems, and parts of texts
    "Solve the math problem and type your answer into the textbox.",
    "Solve 3x + 4 = 19 for x",
    "Mark each number as positive or negative",
    "For each number choose odd or even",
    "Read the last word in the paragraph and type it into the Answer field",
    'Find the 3rd word in the paragraph, type that into the textbox and press "Submit".',
    "Enter the value that corresponds with each label into the form and submit when done.",
    "Highlight the text in the paragraph below and click submit.",
    "select the text in the paragraph",
    "underline the word tea",
    "Using the text editor, give everything the style bold and press Submit.",
    # somebody's messages and posts
    "Forward the mail from Ada to Bob",
    "Could you please send Bob Ada's last message?",
    "reply to the mail from ada saying I will come",
    "delete the email from Ada",
    'For the user @ada, click on the "Like" button.',
    "like all posts by @ada",
    # comparing and waiting for a price
    "buy the ticket with the lowest price",
    "Book the cheapest flight from Oslo to Rome on 5 May 2027",
    "buy ABC stock once the price drops below 47.10",
    "order two of each: apple pie, tea",
    # what is hidden somewhere
    'Switch between the tabs to find and click on the link "sed".',
    "Look through the tabs and click on Save",
    'Navigate through the file tree. Find and click on the folder or file named "Ada".',
)
